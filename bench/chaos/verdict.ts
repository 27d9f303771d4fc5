import { table } from '../measure.ts';
import { type Load, markIn } from './load.ts';
import { isPlainSentence, type Outcome } from './outcomes.ts';

/** A count, its maximum, and the message if it exceeds that. */
export interface Count {
  what: string;
  found: number;
  max: number;
}

/** A timer may ring this early, in ms: its length counts from before the question was sent. */
const earlyMs = 250;

/** All final counts, with their limits. */
export function countsOf(
  load: Load,
  kept: { times: ReadonlyMap<string, number>; mixed: readonly string[] },
): Count[] {
  const { outcomes, timers } = load;
  const rooms = load.rooms.seen();
  const answered = outcomes.filter(({ kind, what }) => kind === 'answered' && what === 'ask');
  const late = timers.map(({ name, dueAtMs }) => ({
    name,
    lateMs: (rooms.rings.get(name) ?? Number.NaN) - dueAtMs,
  }));
  const zero = (what: string, found: number): Count => ({ what, found, max: 0 });
  return [
    zero('turns that hung', outcomes.filter(({ kind }) => kind === 'hung').length),
    zero(
      "answers to another caller's question",
      answered.filter(({ reply, mark }) => markIn(reply) !== mark).length,
    ),
    zero('exchanges stored with another answer', kept.mixed.length),
    zero('exchanges stored twice', [...kept.times.values()].filter((times) => times > 1).length),
    zero('answers that were not stored', answered.filter(({ mark }) => !kept.times.has(mark)).length),
    zero('errors without a plain sentence', outcomes.filter(isUnclear).length),
    zero('faults of our own (500)', outcomes.filter(({ status }) => status === 500).length),
    zero('spoken turns without an end', rooms.open),
    zero('responses that ended twice', rooms.endedTwice),
    zero('silent failures in a room', rooms.failedSilently),
    zero('timers that never rang', late.filter(({ lateMs }) => Number.isNaN(lateMs)).length),
    zero('timers that rang early', late.filter(({ lateMs }) => lateMs < -earlyMs).length),
  ];
}

function isUnclear({ kind, message }: Outcome): boolean {
  return kind === 'refused' && !isPlainSentence(message);
}

/** Calls and their outcomes, by kind of call. */
export function callsTable({ outcomes }: Load): string {
  const rows = [...Map.groupBy(outcomes, ({ what }) => what)].map(([what, all]) => {
    const of = (kind: Outcome['kind']) => all.filter((outcome) => outcome.kind === kind).length;
    const times = all.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
    const at = (part: number) => `${Math.round(times[Math.floor(part * (times.length - 1))] ?? 0)} ms`;
    return [
      what,
      ...[all.length, of('answered'), of('refused'), of('broken'), of('hung')].map(String),
      at(0.5),
      at(0.95),
      at(1),
    ];
  });
  return table([
    ['call', 'all', 'answered', 'refused', 'broken', 'hung', 'median', '95 %', 'longest'],
    ...rows,
  ]);
}

/** Reasons for refused or broken calls, the most frequent first. */
export function reasonsTable({ outcomes }: Load): string {
  const bad = outcomes.filter(({ kind, what }) => kind !== 'answered' && what !== 'bad recording');
  if (bad.length === 0) return 'No call failed.';
  const rows = [...Map.groupBy(bad, ({ status, code }) => `${status || '-'} ${code}`)]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .map(([reason, all]) => [reason, String(all.length), all[0]?.message.slice(0, 90) ?? '']);
  return table([['reason', 'calls', 'for example'], ...rows]);
}

export function roomsLine({ rooms, timers }: Load): string {
  const { spoken, answered, failed, opened, rings } = rooms.seen();
  return `Satellites: ${spoken} questions spoken, ${answered} responses done, ${failed} spoken failures, ${opened} connections; ${timers.length} timers set, ${rings.size} rang.`;
}

export function countsTable(counts: readonly Count[]): string {
  const rows = counts.map(({ what, found, max }) => [
    what,
    String(found),
    String(max),
    found <= max ? 'good' : 'TOO MANY',
  ]);
  return table([['counted', 'found', 'at most', ''], ...rows]);
}

export const missedOf = (counts: readonly Count[]): string[] =>
  counts
    .filter(({ found, max }) => found > max)
    .map(({ what, found, max }) => `${what}: ${found}, at most ${max}`);
