import { z } from 'zod';
import type { Exchange } from '../conversations/exchange.ts';

export const turnSources = ['ask', 'chat', 'voice', 'listen', 'wyoming'] as const;

/**
 * `said`: a wake word was certainly detected. `near`: the detection is uncertain, so the transcript must
 * begin with similar words. `request`: soon after an answer, so only a remark needs the name.
 */
export const nameRules = ['needed', 'needed_or_stop', 'not_needed', 'request', 'said', 'near'] as const;

/** One possible transcript. */
export interface TranscriptCandidate {
  /** Empty: no voice. */
  text: string;
  /** False: the person may have said something else, so ask before acting. */
  isSure: boolean;
  /** The lowest mean log probability per token of a segment. Undefined: unknown. */
  avgLogprob?: number | undefined;
}

/** Whether a sentence needs the assistant's name to be answered. The name is always stripped. */
export type NameRule = (typeof nameRules)[number];

/** A JSON schema that the answer must match. Null: any JSON object. */
export const answerFormatSchema = z.object({ schema: z.record(z.string(), z.unknown()).nullable() });
export type AnswerFormat = z.infer<typeof answerFormatSchema>;

/**
 * `task`: a client's own prompt, such as a title for the chat. `more`: the model continues its last answer.
 */
export const modelOnlyKinds = ['task', 'more'] as const;
export type ModelOnly = (typeof modelOnlyKinds)[number];

/** One exchange: from the question to the end of the reply. */
export interface Turn {
  id: string;
  /** Origin of the question. */
  source: (typeof turnSources)[number];
  /** The question. Null until its recording is transcribed. Empty: no voice. */
  text: string | null;
  /** Whether the words are certain: true for written words, false for a transcript with poor scores. */
  isSure: boolean;
  /** Other possible transcripts, most likely first. Undefined if unknown. */
  alternatives?: readonly TranscriptCandidate[];
  /** The conversation's name. Null: the turn stands alone, and nothing of it is kept. */
  conversation: string | null;
  room: string | null;
  /** The tag of its language. Undefined: none was chosen or recognised, so the household's first counts. */
  language?: string | undefined;
  /** Unix time in ms. */
  createdAt: number;
  /** Deadline of the answer, in ms of the household's steady time, which clock changes do not affect. */
  deadlineAt: number;
  /** The api process that waits for the answer. */
  replyTo: string;
  /** Whether the caller wants the words as the model writes them, not only at the end. */
  streams: boolean;
  /** Whether the reply is spoken, sentence by sentence. */
  speaks: boolean;
  /** The person may continue speaking: until it is confirmed, nothing is done or kept. */
  isTentative: boolean;
  /** Undefined: it needs no name. */
  nameRule?: NameRule;
  /** The assistant's names for this turn. Default: the names of the household. */
  calledBy?: readonly string[];
  /** The client wants data instead of sentences: only the language model answers, and nothing is done. */
  answerFormat?: AnswerFormat;
  /** Only the language model answers, without tools, so nothing is done. */
  modelOnly?: ModelOnly;
  /**
   * It has pictures, which belong to this question or to an earlier one. The waiting api process keeps them.
   */
  pictures?: 'now' | 'before';
  /**
   * Earlier exchanges that the caller sent, if no conversation keeps them. The caller has proved that the
   * answers are ours.
   */
  history?: readonly Exchange[];
  /** The settings revision when it began. Every stage uses these settings. */
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
 * The legal transitions. A state without any is final. A transcription may begin twice, because another
 * worker takes over from a dead one. An answer may not.
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

/** The resource that a turn in this state waits for: an engine, or only a slot. Null: it does not wait. */
export function waitsFor(state: TurnState): 'stt' | 'place' | null {
  if (state === 'transcribing') return 'stt';
  return state === 'transcribed' || state === 'responding' ? 'place' : null;
}

/**
 * The reported parts of a turn, in ms. `queue` is all waiting for a worker or an engine. `tools` covers tool
 * calls before the answer. `tts` is the synthesis of all sentences, partly while the model still writes.
 * `first-audio` is the time until the first sentence was ready.
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

/** One timed span of a turn, in ms. */
export const spanSchema = z.object({ name: z.string(), start_ms: z.number(), took_ms: z.number() });
export type Span = z.infer<typeof spanSchema>;

/** The server that ran an engine's part of a turn. */
export const ranOnSchema = z.object({
  engine: z.enum(['stt', 'llm']),
  /** The other machine that lends it. Null: it belongs to the household. */
  machine: z.string().nullable(),
  model: z.string().nullable(),
});
export type RanOn = z.infer<typeof ranOnSchema>;

export const replySchema = z.object({
  /** The reply's words. A voice speaks exactly these. */
  text: z.string(),
  /** The transcript of the recording. Null: the question came as text. */
  heard: z.string().nullable(),
  /** The responder that answered. */
  via: z.string(),
  /** `length`: the answer was cut off at the maximum length. */
  finish: z.enum(['stop', 'length']),
  /** Tokens as the engine counted them. Null: it does not count. */
  usage: z.object({ prompt: z.number(), cached: z.number(), answer: z.number() }).nullable(),
  timings: timingsSchema,
  /** The steps before the answer, if known, in ms since answering began. */
  steps: z.array(spanSchema).optional(),
  /** The server of the language model that answered. */
  ranOn: ranOnSchema.optional(),
  /** Number of spoken sentences. 0: the reply is not spoken. */
  sentences: z.number(),
});

export type Reply = z.infer<typeof replySchema>;
