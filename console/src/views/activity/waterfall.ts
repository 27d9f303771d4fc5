import type { components, operations } from '../../../../api/src/http/contract-types.ts';

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

export const partWords: Record<string, string> = {
  decode: 'reading the recording',
  queue: 'waiting',
  stt: 'speech recognition',
  'llm-first': 'first word',
  llm: 'language model',
  local: 'language model',
  tts: 'speaking a sentence',
  skills: 'fixed rules',
  home: 'Home Assistant',
  timer: 'timer',
  'first-audio': 'first sound',
  total: 'everything',
};

const markWords: Record<string, string> = {
  end_of_speech: 'end of speech',
  certain_end: 'the end is certain',
  first_sound: 'first sound',
  over: 'over',
};

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
      words: partWords[name] ?? name,
      part: name in partWords ? name : 'tool',
      startMs: start_ms,
      tookMs: took_ms,
      left: share(start_ms),
      width: Math.min(100 - share(start_ms), share(took_ms)),
    })),
    marks: moments.map(([name, atMs]) => ({ words: markWords[name] ?? name, atMs, left: share(atMs) })),
  };
}
