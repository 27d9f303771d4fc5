import { z } from 'zod';
import { fill, type PhraseValues, phraseSchema } from './phrase.ts';

const failures = [
  'overloaded',
  'question_too_long',
  'too_large',
  'no_audio',
  'audio_unreadable',
  'llm_unavailable',
  'llm_timeout',
  'llm_bad_answer',
  'stt_unavailable',
  'stt_timeout',
  'stt_bad_answer',
  'tts_unavailable',
  'home_unavailable',
  'home_timeout',
  'home_unreachable',
  'home_starting',
  'home_refused',
  'home_banned',
  'not_possible',
  'redis_unavailable',
  'redis_full',
  'redis_disk_full',
  'redis_disk_failed',
  'queue_timeout',
  'worker_unavailable',
  'shutting_down',
  'turn_timeout',
  'outcome_unknown',
  'internal',
] as const;

const notices = ['memory', 'disk'] as const;

/** Sentences about a timer, by its kind and whether it has a name. */
const timerWords = ['timer', 'timer_named', 'alarm', 'alarm_named', 'reminder', 'reminder_named'] as const;
const ofTimers = (...places: string[]) => z.record(z.enum(timerWords), phraseSchema(['label', ...places]));

const withoutValues = phraseSchema([]);

/** A question, and the words of which its answer must contain one. */
const questionSchema = z.strictObject({
  question: z.string().trim().min(1),
  answer: z
    .array(
      z
        .string()
        .trim()
        .toLowerCase()
        .regex(/^[\p{L}\p{N}]+$/u, 'must be one word'),
    )
    .min(1),
});

/** Every fixed sentence that Hearth says. */
export const phrasesSchema = z.strictObject({
  not_caught: withoutValues,
  did_you_say: phraseSchema(['text']),
  did_you_mean: phraseSchema(['text']),
  /** A pending question once more, and the end of it after a second unusable answer. */
  ask_again: phraseSchema(['question']),
  gave_up: withoutValues,
  still_thinking: withoutValues,
  /** Reply to a command that the house executed without an answer. */
  done: withoutValues,
  /** The answer to a picture, a sound or a file. */
  only_words: withoutValues,
  /** The question for a picture without text. */
  about_pictures: withoutValues,
  go_on: withoutValues,
  greet_me: withoutValues,
  /** A satellite's request to join. */
  let_me_in: phraseSchema(['digits']),
  /** The sentences of a satellite. */
  satellite: z.strictObject({
    /** Its server is unreachable. Missing: it is silent then. */
    lost: z.string().trim().min(1).optional(),
    /** The test of its sound cards. */
    hear_me: questionSchema,
  }),
  /** The sample of a voice before a choice. */
  sample: withoutValues,
  /** The question that the check sends through the engines. */
  check: questionSchema,
  timers: z.strictObject({
    /**
     * `now`: it rings in time. The next three: it rings late, because no one heard it, Hearth was off, or the
     * clock moved forward. `missed`: no one stopped it.
     */
    now: ofTimers(),
    late: ofTimers('ago'),
    after_off: ofTimers('ago'),
    after_step: ofTimers('ago'),
    missed: ofTimers('ago'),
    ago: z.record(z.enum(['minute', 'minutes', 'hour', 'hours', 'day', 'days']), phraseSchema(['n'])),
  }),
  /** Said after an answer, once a day, when disk space runs low. */
  notices: z.record(z.enum(notices), withoutValues),
  /** The sentence for a failure, by the failure's code. */
  failures: z.record(z.enum(failures), withoutValues),
});

export type Phrases = z.infer<typeof phrasesSchema>;
type PhraseKey = Exclude<keyof Phrases, 'failures' | 'timers' | 'check' | 'satellite' | 'notices'>;

export interface Say {
  /**
   * One of the assistant's own sentences. The variant depends on `seed`, a turn's id: the same turn says the
   * same twice.
   */
  (key: PhraseKey, values?: PhraseValues, seed?: string): string;
  /** The sentence for a failure. A failure without one is "something went wrong". */
  failure(code: string): string;
  /** The sentence for a notice to people; null: there is none. */
  notice(name: string): string | null;
}

export function createSay(phrases: Phrases): Say {
  const say = (key: PhraseKey, values?: PhraseValues, seed?: string) => fill(phrases[key], values, seed);
  const failure = (code: string) => {
    const known = failures.find((each) => each === code) ?? 'internal';
    return fill(phrases.failures[known]);
  };
  const notice = (name: string) => {
    const known = notices.find((each) => each === name);
    return known === undefined ? null : fill(phrases.notices[known]);
  };
  return Object.assign(say, { failure, notice });
}
