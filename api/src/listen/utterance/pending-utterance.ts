import { clarityOf } from '../../audio/clarity.ts';
import type { UtteranceEdge } from '../../audio/listener.ts';
import { durationMs } from '../../audio/pcm.ts';
import type { CallRule } from './attention.ts';
import type { TranscriptClassification } from './end-silences.ts';
import type { Utterance } from './utterance.ts';

/** Speech shorter than this without words is treated as noise, such as a cough or a door. */
const burstMs = 500;

/** The speaker's conversation, room and language, and whether a push-to-talk button ends the speech. */
export interface UtteranceOrigin {
  conversation: string;
  room: string | null;
  /** Undefined: none was chosen for the room. */
  language?: string | undefined;
  isManual: boolean;
}

/** An utterance that is not settled yet. */
export interface PendingUtterance extends UtteranceOrigin {
  utterance: Utterance;
  /** It interrupted an answer that was playing. */
  hasInterrupted: boolean;
  /** How long before it the latest answer became audible. Null: none did. */
  afterAnswerMs: number | null;
  /** The previous answer was a question. */
  answersQuestion: boolean;
  /** Id of the turn that this one revises, if both form one sentence. */
  revises: string | null;
  /** Position in the sound of the connection where the speech begins, and its length. */
  spokenFromMs: number;
  speechMs: number;
  /** Clock times. */
  fromMs: number;
  untilMs: number;
  endSilenceMs: number;
  soundMs: number;
  fillerAfterMs: number | null;
  /** How far the voice stands out from the background, in dB. */
  clarity: number;
  /** Whether it needs the assistant's name or a wake word. Undefined: it is always answered. */
  rule: CallRule | undefined;
  isJudged: boolean;
  callOffDoubt: () => void;
}

export type EdgeOf<Type extends UtteranceEdge['type']> = Extract<UtteranceEdge, { type: Type }>;

interface NewPendingUtterance
  extends Pick<
    PendingUtterance,
    'utterance' | 'hasInterrupted' | 'afterAnswerMs' | 'answersQuestion' | 'fillerAfterMs' | 'rule'
  > {
  speaker: UtteranceOrigin;
  /** The previous utterance, if this one continues it. */
  before: PendingUtterance | null;
  edge: EdgeOf<'started'>;
  nowMs: number;
}

/** Creates the record of an utterance that has just begun. */
export function newPendingUtterance(options: NewPendingUtterance): PendingUtterance {
  const {
    utterance,
    hasInterrupted,
    afterAnswerMs,
    answersQuestion,
    fillerAfterMs,
    rule,
    speaker,
    before,
    edge,
    nowMs,
  } = options;
  return {
    ...speaker,
    utterance,
    hasInterrupted,
    afterAnswerMs,
    answersQuestion,
    fillerAfterMs,
    rule,
    revises: before?.utterance.speculation?.id ?? null,
    speechMs: 0,
    spokenFromMs: edge.fromMs,
    fromMs: nowMs - (edge.atMs - edge.fromMs),
    untilMs: nowMs,
    endSilenceMs: 0,
    soundMs: 0,
    clarity: 0,
    isJudged: false,
    callOffDoubt: () => undefined,
  };
}

/** Fields that the end of an utterance determines. `nowMs` is the clock time of the edge. */
export function endTimes(
  edge: Pick<EdgeOf<'ended'>, 'atMs' | 'untilMs' | 'sound'>,
  { spokenFromMs, nowMs }: { spokenFromMs: number; nowMs: number },
): Pick<PendingUtterance, 'speechMs' | 'endSilenceMs' | 'untilMs' | 'soundMs' | 'clarity'> {
  const endSilenceMs = edge.atMs - edge.untilMs;
  return {
    speechMs: edge.untilMs - spokenFromMs,
    endSilenceMs,
    untilMs: nowMs - endSilenceMs,
    soundMs: durationMs(edge.sound),
    clarity: clarityOf(edge.sound),
  };
}

/**
 * Whether an utterance without words needs no answer, such as noise, or a murmur while an answer is pending.
 * After a button or an interruption, people always get an answer. After a question, a burst is a short
 * answer: "no", "tea".
 */
export function maySilentlyPass(
  {
    isManual,
    hasInterrupted,
    answersQuestion,
    speechMs,
  }: Pick<PendingUtterance, 'isManual' | 'hasInterrupted' | 'answersQuestion' | 'speechMs'>,
  { awaitsOther }: { awaitsOther: boolean },
): boolean {
  if (isManual || hasInterrupted) return false;
  return awaitsOther || (speechMs < burstMs && !answersQuestion);
}

/** Longer speech over an answer is a request, whatever its words. */
const maxNoiseMs = 1_000;

/** Whether speech over an answer is short enough for a backchannel. A button press is always a request. */
export function isShortOverAnswer({
  hasInterrupted,
  isManual,
  speechMs,
}: Pick<PendingUtterance, 'hasInterrupted' | 'isManual' | 'speechMs'>): boolean {
  return hasInterrupted && !isManual && speechMs <= maxNoiseMs;
}

/** The facts that show whether words over an answer are a request. */
export type RequestFacts = Pick<
  TranscriptClassification,
  'isWhole' | 'asks' | 'isLast' | 'isBackchannel' | 'joins' | 'goesOn'
>;

/**
 * Whether short speech over an answer is not a request: a backchannel ("mm-hm"), or words that no responder
 * understands. Whisper writes sentences for a hum. They have low scores, or nothing before or behind them:
 * "And then I can."
 */
export function isBackchannelOrNoise(
  { utterance: { transcript, isSure } }: Pick<PendingUtterance, 'utterance'>,
  { isWhole, asks, isLast, isBackchannel, joins, goesOn }: RequestFacts,
): boolean {
  if (isBackchannel || !transcript) return true;
  if (isWhole || asks || isLast) return false;
  return !isSure || (joins && goesOn && !transcript.trimEnd().endsWith('?'));
}

/** Without a transcript, whether the utterance may be meant for someone else. */
export function mayBeForOthers({ rule }: Pick<PendingUtterance, 'rule'>): boolean {
  return rule !== undefined && !['not_needed', 'request', 'said'].includes(rule.nameRule);
}

/** Whether to ignore it: it has no words for the assistant. A remark after an answer has none either. */
export function isPassedOver({ rule, utterance }: Pick<PendingUtterance, 'rule' | 'utterance'>): boolean {
  if (utterance.transcript) return false;
  return utterance.isNamed || mayBeForOthers({ rule }) || rule?.nameRule === 'request';
}

/** The fields of an utterance that other satellites may have heard, too. */
export function locatedOf(pending: PendingUtterance) {
  const { conversation, room, fromMs, clarity, rule, utterance } = pending;
  const isSure = rule?.nameRule === 'said' || utterance.isNamed;
  const call = isSure ? ('sure' as const) : mayBeForOthers(pending) ? ('maybe' as const) : null;
  return { conversation, room, fromMs, clarity, call };
}
