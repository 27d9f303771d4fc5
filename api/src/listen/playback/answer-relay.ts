import type { AnswerSink } from '../utterance/speculative-turn.ts';

type News = (sink: AnswerSink) => void;

/** Passes the answer of a turn to its response. Without a response, the answer waits here. */
export function createAnswerRelay() {
  const waiting: News[] = [];
  const texts: string[] = [];
  /** How the answer ended. A second response of the same answer gets it again. */
  let end: News | null = null;
  let target: AnswerSink | null = null;
  const ended = (news: News): void => {
    end = news;
    if (target) news(target);
  };

  return {
    sink: {
      speak(speech) {
        texts.push(speech.text);
        if (target) target.speak(speech);
        else waiting.push((each) => each.speak(speech));
      },
      complete: (reply) => ended((each) => each.complete(reply)),
      fail: (error) => ended((each) => each.fail(error)),
    } satisfies AnswerSink,
    /** The words so far. */
    text: (): string => texts.join(' '),
    /** Holds the answer from now on. */
    hold(): void {
      target = null;
    },
    /** Passes on the held answer, and everything later. */
    handTo(next: AnswerSink): void {
      target = next;
      for (const news of waiting.splice(0)) news(next);
      end?.(next);
    },
  };
}
