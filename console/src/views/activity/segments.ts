import type { TurnRecord } from './waterfall.ts';

/** An interval between the end of speech and the first sound. */
export interface Segment {
  /** The active stages. `silence` or `way` if there was none. */
  who: string;
  fromMs: number;
  untilMs: number;
}

type Moments = Pick<TurnRecord, 'spans' | 'marks'>;

/** Stages that include another stage as a part. Only the part is shown. */
const wholeOf = new Map([['llm', 'llm-first']]);
/** Shorter segments are left out. */
const leastMs = 0.5;

/** The waiting times in order, from the last voiced sample to the first sound. */
export function segmentsOf({ spans, marks = {} }: Moments): Segment[] {
  const { end_of_speech: from = 0, certain_end: certain = 0, first_sound: until = 0 } = marks;
  const inside = (ms: number) => Math.min(until, Math.max(from, ms));
  const edges = spans.flatMap(({ start_ms, took_ms }) => [inside(start_ms), inside(start_ms + took_ms)]);
  const places = [...new Set([from, ...edges, inside(certain), until])].toSorted((one, other) => one - other);
  const whoAt = (ms: number): string => {
    const names = spans
      .filter(({ start_ms, took_ms }) => start_ms <= ms && ms < start_ms + took_ms)
      .map(({ name }) => name);
    const parts = names.filter((name) => !names.includes(wholeOf.get(name) ?? ''));
    if (parts.length > 0) return [...new Set(parts)].join(' + ');
    return ms < certain ? 'silence' : 'way';
  };
  const found: Segment[] = [];
  for (const [at, startMs] of places.slice(0, -1).entries()) {
    const endMs = places[at + 1] ?? startMs;
    if (endMs - startMs < leastMs) continue;
    const who = whoAt((startMs + endMs) / 2);
    const last = found.at(-1);
    if (last?.who === who) last.untilMs = endMs - from;
    else found.push({ who, fromMs: startMs - from, untilMs: endMs - from });
  }
  return found;
}

/** Time from the end of speech to the first sound; null: the turn lacks one of them. */
function waitMs({ outcome, marks = {} }: TurnRecord): number | null {
  const { end_of_speech: from, first_sound: until } = marks;
  return outcome === 'done' && from !== undefined && until !== undefined && until > from
    ? until - from
    : null;
}

/**
 * The turn with the median wait, among turns spoken to a satellite and answered aloud. Null: there are none.
 */
export function medianTurn(turns: readonly TurnRecord[]): { turn: TurnRecord; count: number } | null {
  const sorted = turns
    .flatMap((turn) => {
      const ms = waitMs(turn);
      return ms === null ? [] : [{ turn, ms }];
    })
    .toSorted((one, other) => one.ms - other.ms);
  const middle = sorted[Math.floor(sorted.length / 2)];
  return middle ? { turn: middle.turn, count: sorted.length } : null;
}
