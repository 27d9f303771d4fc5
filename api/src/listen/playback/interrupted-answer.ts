import type { Clock } from '../../clock.ts';
import type { Played } from '../../turn-client/turn-client.ts';
import { type NewAnswer, playedOf, type SpokenAnswer, shortOf } from './answer.ts';
import type { SpeechSegment } from './playback.ts';

/** How long an interrupted answer can continue. After longer speech, people no longer expect it. */
const maxInterruptedMs = 5_000;

interface Interrupted {
  answer: SpokenAnswer;
  rest: (playedMs?: number) => readonly SpeechSegment[];
  playedText: string;
  played: Played;
  callOffEnd: () => void;
}

interface InterruptedAnswerOptions {
  clock: Clock;
  newTurnId: () => string;
  /** Called when the answer will not continue. */
  onEnd: (answer: SpokenAnswer) => void;
}

/** Holds the answer that speech has interrupted. It continues if the speech was not a request. */
export function createInterruptedAnswer({ clock, newTurnId, onEnd }: InterruptedAnswerOptions) {
  let interrupted: Interrupted | null = null;

  /** Ends it for good. The conversation keeps the played words. False: none was interrupted. */
  const end = (): boolean => {
    if (interrupted === null) return false;
    const { answer, played, playedText, callOffEnd } = interrupted;
    interrupted = null;
    callOffEnd();
    answer.onPlayed?.(played);
    onEnd(answer);
    answer.onCut(playedText);
    return true;
  };

  const isOf = (turnId: string): boolean => interrupted?.answer.response.turnId === turnId;

  return {
    isHeld: (): boolean => interrupted !== null,
    holds: (answer: SpokenAnswer): boolean => interrupted?.answer === answer,
    isOf,
    find: (turnId: string): SpokenAnswer | undefined => (isOf(turnId) ? interrupted?.answer : undefined),
    text: (): string | null => interrupted?.answer.relay.text() ?? null,
    /** Silences the audible answer, but keeps its turn and the rest of its sound. */
    suspend(answer: SpokenAnswer): void {
      const { response, relay } = answer;
      relay.hold();
      const shortened = shortOf(answer);
      interrupted = {
        answer,
        rest: response.rest(),
        playedText: shortened ?? response.playedText(),
        played: playedOf(answer, { status: 'cancelled', reason: 'turn_detected' }),
        callOffEnd: clock.after(maxInterruptedMs, end),
      };
      response.cancel('turn_detected');
    },
    /** Returns the answer as a new one, and the rest of its sound. Null: none was interrupted. */
    resume() {
      if (interrupted === null) return null;
      const { answer, rest, playedText, played, callOffEnd } = interrupted;
      interrupted = null;
      callOffEnd();
      const onPlayed: NewAnswer['onPlayed'] = ({ overAt, status, reason }) =>
        answer.onPlayed?.({ ...played, overAt, status, reason });
      return {
        answer: {
          ...answer,
          continued: answer.continued + 1,
          turnId: newTurnId(),
          speechEndMs: clock.nowMs(),
          endSilenceMs: 0,
          fillerAfterMs: null,
          onCut: (text = '') => answer.onCut([playedText, text].filter((each) => each !== '').join(' ')),
          onPlayed,
        },
        // Without a report, the clock tells how much was played.
        rest: rest(answer.playedMs ?? undefined),
      };
    },
    end,
    /** Withdraws it, so that the conversation keeps nothing of it. */
    withdraw(): void {
      if (interrupted !== null) interrupted.playedText = '';
      end();
    },
    /** The satellite reports how much it has played. */
    played(playedMs: number): void {
      if (interrupted === null) return;
      interrupted.answer.playedMs = playedMs;
      interrupted.playedText = interrupted.answer.response.playedText(playedMs);
    },
  };
}
