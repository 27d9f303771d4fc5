import { z } from 'zod';

export const turnSources = ['ask', 'chat', 'voice', 'listen', 'wyoming'] as const;

/**
 * `said`: a wake word was heard in the sound, for certain. `near`: perhaps, so the transcript must begin with something near it.
 */
export const nameRules = ['needed', 'needed_or_stop', 'not_needed', 'said', 'near'] as const;

/** Words that may have been said. */
export interface Heard {
  /** Empty when nobody spoke. */
  text: string;
  /** False where other words may have been said than these: ask before anything is done. */
  isSure: boolean;
}

/** Whether a sentence must have the assistant's name to be answered. In any case the name is taken off. */
export type NameRule = (typeof nameRules)[number];

/** A JSON schema that an answer has to match; null: any JSON object will do. */
export const answerFormatSchema = z.object({ schema: z.record(z.string(), z.unknown()).nullable() });
export type AnswerFormat = z.infer<typeof answerFormatSchema>;

/** `task`: a program's own, such as a title for the chat. `more`: the model goes on with its last answer. */
export const modelOnlyKinds = ['task', 'more'] as const;
export type ModelOnly = (typeof modelOnlyKinds)[number];

/** One exchange: from the question to the end of the reply. */
export interface Turn {
  id: string;
  /** How the question came in. */
  source: (typeof turnSources)[number];
  /** The question; null until its recording is transcribed, empty if nobody spoke in it. */
  text: string | null;
  /** Whether the words are certain. Written words are; transcribed words with poor scores are not. */
  isSure: boolean;
  /** What else may have been said, the likeliest first; left out where nothing is known of that. */
  alternatives?: readonly Heard[];
  /** The conversation's name; null = the turn stands alone and nothing of it is kept. */
  conversation: string | null;
  room: string | null;
  /** Unix time in ms. */
  createdAt: number;
  /** Nobody waits for the answer after this: the household's steady time in ms, which no setting of a clock moves. */
  deadlineAt: number;
  /** The api process that waits for the answer. */
  replyTo: string;
  /** Whether the caller wants the words as they are written, not only at the end. */
  streams: boolean;
  /** Whether the reply is spoken, sentence by sentence. */
  speaks: boolean;
  /** The person may go on speaking: until it is confirmed nothing is done and nothing is kept. */
  isTentative: boolean;
  /** Left out: it is answered as it stands, name or not. */
  nameRule?: NameRule;
  /** What the assistant is called by here; left out: the names of the household. */
  calledBy?: readonly string[];
  /** A program wants data instead of sentences: only the language model answers, and nothing is done. */
  answerFormat?: AnswerFormat;
  /** Only the language model answers, without tools, so nothing is done. */
  modelOnly?: ModelOnly;
  /** Pictures are shown with it: the question is about them, or they were shown with one before. The api process that waits for the answer keeps them. */
  pictures?: 'now' | 'before';
  /** What was said before, where no conversation keeps it: the caller sent it along, and every answer in it is known to be ours. */
  history?: readonly Exchange[];
  /** The revision of the settings that it began under. Every stage sees these and no others. */
  revision: number;
}

const states = [
  'waiting',
  'transcribing',
  'transcribed',
  'responding',
  'thinking',
  'held',
  'speaking',
  'done',
  'failed',
  'cancelled',
] as const;
export type TurnState = (typeof states)[number];

/**
 * The legal moves. A state without one is an end. A transcription may begin twice, because another worker takes it over if its own dies; an
 * answer may not.
 */
const moves: Readonly<Record<TurnState, readonly TurnState[]>> = {
  waiting: ['transcribing', 'responding', 'failed', 'cancelled'],
  transcribing: ['transcribing', 'transcribed', 'failed', 'cancelled'],
  transcribed: ['responding', 'failed', 'cancelled'],
  responding: ['thinking', 'held', 'speaking', 'done', 'failed', 'cancelled'],
  thinking: ['held', 'speaking', 'done', 'failed', 'cancelled'],
  held: ['speaking', 'done', 'failed', 'cancelled'],
  speaking: ['done', 'cancelled'],
  done: [],
  failed: [],
  cancelled: [],
};

/** The states from which `to` may be reached. */
export function statesBefore(to: TurnState): TurnState[] {
  return states.filter((from) => moves[from].includes(to));
}

/** What a turn in this state waits for, before its answer is begun: an engine, or only its place. Null: it does not wait. */
export function waitsFor(state: TurnState): 'stt' | 'place' | null {
  if (state === 'transcribing') return 'stt';
  return state === 'transcribed' || state === 'responding' ? 'place' : null;
}

const roundSchema = z.object({
  /** The model's words before its calls. */
  content: z.string(),
  calls: z.array(z.object({ id: z.string(), name: z.string(), arguments: z.string() })),
  /** The result of each call, as the model read it. */
  results: z.array(z.string()),
});

/** Tools that the language model called at once, and their results, word for word. */
export type Round = z.infer<typeof roundSchema>;

export const exchangeSchema = z.object({
  /** The user message exactly as it was sent, context line included: the next prompt must begin with the same bytes. */
  user: z.string(),
  assistant: z.string(),
  /** Between the two: the calls that the answer was made from. */
  rounds: z.array(roundSchema).optional(),
  /** The turn it comes from. */
  turn: z.string().optional(),
  /** When it was asked, as Unix time in ms. */
  at: z.number().optional(),
  /** A refusal by rule: a model too small for tools would answer the next question in the same words, and is not shown it. */
  isAside: z.boolean().optional(),
  /** The answer is Hearth's own, by a rule or from the result of a tool: the language model did not write it, and must not learn to. */
  isOurs: z.boolean().optional(),
  /** Where the person's own words begin in `user`, behind the context line. */
  wordsFrom: z.number().optional(),
});

/** A question and its answer, as the language model saw and wrote them. */
export type Exchange = z.infer<typeof exchangeSchema>;

/**
 * The parts of a turn whose times are told, in ms. `queue` is all waiting for a worker or an engine, `tools` the tools that the language model
 * called before it answered, `tts` the making of all sentences, some of it while the model still writes. `first-audio` is the time until the
 * first of them was there.
 */
export const timedParts = [
  'decode',
  'queue',
  'stt',
  'llm-first',
  'llm',
  'tools',
  'tts',
  'first-audio',
  'total',
] as const;

export const timingsSchema = z.partialRecord(z.enum(timedParts), z.number());
export type Timings = z.infer<typeof timingsSchema>;

/** A stretch of a turn's time, in ms. */
export const spanSchema = z.object({ name: z.string(), start_ms: z.number(), took_ms: z.number() });
export type Span = z.infer<typeof spanSchema>;

export const replySchema = z.object({
  /** The reply's words; of a spoken reply the very words that the voice says. */
  text: z.string(),
  /** The transcript of the recording; null: the question came as text. */
  heard: z.string().nullable(),
  /** The responder that answered. */
  via: z.string(),
  /** `length`: the answer was cut off because it grew too long. */
  finish: z.enum(['stop', 'length']),
  /** Tokens as the engine counted them; null when it does not count. */
  usage: z.object({ prompt: z.number(), cached: z.number(), answer: z.number() }).nullable(),
  timings: timingsSchema,
  /** The steps that led to it, if they are known, in ms since answering began. */
  steps: z.array(spanSchema).optional(),
  /** How many sentences of it are spoken; 0 when none is. */
  sentences: z.number(),
});

export type Reply = z.infer<typeof replySchema>;
