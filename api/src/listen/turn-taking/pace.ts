import type { UtteranceEdge } from '../../audio/listener.ts';
import type { TranscriptCandidate } from '../../turn/turn.ts';

/**
 * Whisper completes likely sentences: it turns "What time" into "What time is it?". Such a text has more
 * letters than fit into the voiced time. In 42 recordings of four voices, the fastest had 17 letters a
 * second. Most completed sentences had 18 to 24.
 */
const maxLettersPerSecond = 18;
/**
 * A completed sentence has a low score, too, so both decide. Of 113 completed sentences in two voices, these
 * limits find 77 %. They take 7 % of the whole ones for completed. The pace alone has 64 and 11 %. The limit
 * is in letters a second. It falls with the mean log probability per token. A noisy sentence has a low score,
 * too, so the limit has a minimum.
 */
const scoredPace = { best: 20.5, perUnit: 10, min: 15 };

/**
 * Whether a text has more letters than a person can say in this time. A single word never has: recognition
 * completes sentences, and voice detection misses half of the "St" of "Stop".
 */
export function isFasterThanSpeech(
  { text, avgLogprob }: Pick<TranscriptCandidate, 'text' | 'avgLogprob'>,
  voicedMs: number,
): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return /\s/.test(text.trim()) && letters > (voicedMs / 1_000) * maxPaceFor(avgLogprob);
}

function maxPaceFor(avgLogprob: number | undefined): number {
  const { best, perUnit, min } = scoredPace;
  return avgLogprob === undefined ? maxLettersPerSecond : Math.max(min, best + perUnit * avgLogprob);
}

/** Whether a text ends like a sentence. Whisper ends an unfinished one with "...", "-", or nothing. */
export function hasEnd(text: string): boolean {
  return /(?<!\.\.)[.?!。？！]["'”’)]*$/u.test(text.trimEnd());
}

/** Whether a text breaks off: "What timers are r...", "Turn on the-". */
export function breaksOff(text: string): boolean {
  return /(\.\.|…|[-–—])["'”’)]*$/u.test(text.trimEnd());
}

/** Measures how long a voice was heard, without its pauses. Speech after an early end counts, too. */
export function createVoiceLength() {
  /** Length up to the last pause, and where the current stretch of voice began. Null: no voice now. */
  let lengthMs = 0;
  let fromMs: number | null = null;
  let beforeMs = 0;

  return {
    onEdge(edge: UtteranceEdge): void {
      if (edge.type === 'started' && !edge.continues) [beforeMs, lengthMs] = [lengthMs, 0];
      if (edge.type === 'started' || edge.type === 'resumed') fromMs = edge.fromMs;
      else if (fromMs !== null) [lengthMs, fromMs] = [lengthMs + edge.untilMs - fromMs, null];
    },
    /** The length of the utterance before. */
    get beforeMs() {
      return beforeMs;
    },
    /** The length before this position in the sound. */
    until: (ms: number): number => lengthMs + (fromMs === null ? 0 : Math.max(0, ms - fromMs)),
  };
}
