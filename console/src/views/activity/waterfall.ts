import type { components, operations } from '../../../../api/src/http/contract-types.ts';
import { t } from '../../language/translate.ts';

export type TurnRecord = components['schemas']['TurnRecord'];
export type DayOfTurns = operations['getTurns']['responses'][200]['content']['application/json'];

interface Bar {
  name: string;
  words: string;
  /** Its colour. */
  part: string;
  startMs: number;
  tookMs: number;
  left: number;
  width: number;
}

interface Mark {
  words: string;
  atMs: number;
  left: number;
}

interface Waterfall {
  bars: readonly Bar[];
  marks: readonly Mark[];
  wholeMs: number;
}

const parts: ReadonlyMap<string, () => string> = new Map([
  ['decode', () => t('reading the recording')],
  ['queue', () => t('waiting')],
  ['stt', () => t('speech recognition')],
  ['llm-first', () => t('first word')],
  ['llm', () => t('language model')],
  ['local', () => t('language model')],
  ['tts', () => t('speaking a sentence')],
  ['skills', () => t('fixed rules')],
  ['home', () => 'Home Assistant'],
  ['timer', () => t('timer')],
  ['first-audio', () => t('first sound')],
  ['total', () => t('everything')],
]);

/** The part of a turn in words. A tool keeps its name. */
export const partWords = (name: string): string => parts.get(name)?.() ?? name;

/** The colour of a part. */
export const colourOf = (name: string): string => (parts.has(name) ? name : 'tool');

const markTexts: ReadonlyMap<string, () => string> = new Map([
  ['end_of_speech', () => t('end of speech')],
  ['certain_end', () => t('the end is certain')],
  ['first_sound', () => t('first sound')],
  ['over', () => t('over|turn')],
]);

/** The start and length of each part of a turn, as shares of the whole. */
export function waterfallOf(turn: Partial<TurnRecord>): Waterfall {
  const spans = (turn.spans ?? []).filter(({ took_ms, start_ms }) => Number.isFinite(took_ms + start_ms));
  const moments = Object.entries(turn.marks ?? {}).filter(([, atMs]) => Number.isFinite(atMs));
  const ends = [...spans.map(({ start_ms, took_ms }) => start_ms + took_ms), ...moments.map(([, at]) => at)];
  const wholeMs = Math.max(1, turn.timings?.['total'] ?? 0, ...ends);
  const share = (ms: number) => Math.min(100, Math.max(0, (100 * ms) / wholeMs));
  return {
    wholeMs,
    bars: spans.map(({ name, start_ms, took_ms }) => ({
      name,
      words: partWords(name),
      part: colourOf(name),
      startMs: start_ms,
      tookMs: took_ms,
      left: share(start_ms),
      width: Math.min(100 - share(start_ms), share(took_ms)),
    })),
    marks: moments.map(([name, atMs]) => ({
      words: markTexts.get(name)?.() ?? name,
      atMs,
      left: share(atMs),
    })),
  };
}
