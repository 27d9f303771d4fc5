import { clarityOf } from '../audio/clarity.ts';
import type { UtteranceEdge } from '../audio/listener.ts';
import { durationMs } from '../audio/pcm.ts';
import type { CallRule } from './attention.ts';
import type { Utterance } from './utterance.ts';

/** Speech shorter than this without words was a cough or a door. */
const burstMs = 500;

/** The conversation and room of the person who speaks, and whether a button says when they have finished. */
export interface Speaker {
  conversation: string;
  room: string | null;
  isManual: boolean;
}

/** An utterance on its way to an answer. */
export interface PendingUtterance extends Speaker {
  utterance: Utterance;
  /** It cut off an answer that was being spoken. */
  hasInterrupted: boolean;
  /** The turn that this one changes, if both were heard as one sentence. */
  revises: string | null;
  /** Where it begins in the sound of the connection, and how long the person speaks. */
  spokenFromMs: number;
  speechMs: number;
  /** By the clock. */
  fromMs: number;
  untilMs: number;
  endSilenceMs: number;
  soundMs: number;
  fillerAfterMs: number | null;
  /** How far the voice stands out of its room, in dB. */
  clarity: number;
  /** Whether it needs the assistant's name or a wake word; undefined: it is answered as it stands. */
  rule: CallRule | undefined;
  isJudged: boolean;
  callOffDoubt: () => void;
}

export type EdgeOf<Type extends UtteranceEdge['type']> = Extract<UtteranceEdge, { type: Type }>;

interface NewPendingUtterance
  extends Pick<PendingUtterance, 'utterance' | 'hasInterrupted' | 'fillerAfterMs' | 'rule'> {
  speaker: Speaker;
  /** The utterance before, if this one goes on with it. */
  before: PendingUtterance | null;
  edge: EdgeOf<'started'>;
  nowMs: number;
}

/** An utterance that has just begun. */
export function newPendingUtterance(options: NewPendingUtterance): PendingUtterance {
  const { utterance, hasInterrupted, fillerAfterMs, rule, speaker, before, edge, nowMs } = options;
  return {
    ...speaker,
    utterance,
    hasInterrupted,
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

/** The times that the end of an utterance fixes. `nowMs` is the clock when the edge was found. */
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
 * Whether an utterance without words needs no answer: it was a burst of noise, or a murmur while another answer is on its way. Somebody who
 * pressed a button or cut off an answer always gets one.
 */
export function maySilentlyPass(
  { isManual, hasInterrupted, speechMs }: Pick<PendingUtterance, 'isManual' | 'hasInterrupted' | 'speechMs'>,
  { awaitsOther }: { awaitsOther: boolean },
): boolean {
  return !isManual && !hasInterrupted && (speechMs < burstMs || awaitsOther);
}

/** Whether it may be for somebody else, as long as its words are not known. */
export function mayBeForOthers({ rule }: Pick<PendingUtterance, 'rule'>): boolean {
  return rule !== undefined && rule.nameRule !== 'not_needed' && rule.nameRule !== 'said';
}

/** An utterance as other satellites may have heard it, too. */
export function locatedOf(pending: PendingUtterance) {
  const { conversation, room, fromMs, clarity, rule } = pending;
  const [wakeWord = null] = rule?.nameRule === 'said' ? (rule.calledBy ?? []) : [];
  return { conversation, room, fromMs, clarity, wakeWord };
}
