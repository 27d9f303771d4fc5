import type { WordsForIt } from '../jobs/transcribe-job.ts';
import { createCalled } from '../language/called.ts';
import type { WorkerCore } from './worker-core.ts';

/** What stops an answer or a ring without the name, by skill and intent. */
const stops = new Set(['talk.stop', 'talk.never_mind', 'timers.quiet']);

/** Reads which words call the assistant by a name of the household. */
export function wireWordsForIt({ language, settings, answers, home }: WorkerCore): WordsForIt {
  const { skills } = answers;
  const isStop = (text: string): boolean => {
    const found = skills.understood(text);
    return found !== null && stops.has(`${found.skill}.${found.intent}`);
  };
  const isRequest = async (text: string): Promise<boolean> =>
    skills.understood(text) !== null ||
    skills.asks(text) ||
    ((await home?.control.read(text)) ?? []).length > 0;

  return async (turn, transcript) => {
    const { names } = await settings.of(turn);
    const calledIn = createCalled({
      names,
      calls: language.hearing.calls,
      soundsOf: language.rules.soundsOf,
    });
    const called = calledIn(transcript.text);
    if (called && (called.isApart || (await isRequest(called.request)))) {
      const alternatives = (transcript.alternatives ?? []).flatMap((other) => {
        const request = calledIn(other.text)?.request ?? '';
        return request === '' ? [] : [{ ...other, text: request }];
      });
      return { ...transcript, text: called.request, alternatives, isNamed: true };
    }
    const isToo =
      turn.nameRule === 'not_needed' || (turn.nameRule === 'needed_or_stop' && isStop(transcript.text));
    return isToo ? { ...transcript, isNamed: false } : null;
  };
}
