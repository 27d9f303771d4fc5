import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import type { Timer } from '../../api/src/timers/timer.ts';

const states = ['nothing', 'pasta', 'paused', 'several', 'ringing'] as const;
export type TimerState = (typeof states)[number];

export interface TimerSentence {
  /** The timers that exist beforehand. */
  before: TimerState;
  intent: string;
  text: string;
  expected: string;
}

const fileSchema = z.record(z.enum(states), z.record(z.string(), z.array(z.string())));

/** Sentences about timers, with their effects. */
export const timerSentences: readonly TimerSentence[] = states.flatMap((before) =>
  Object.entries(readFile()[before]).flatMap(([intent, lines]) =>
    lines.map((line) => {
      const [text = '', expected = ''] = line.split(' => ');
      return { before, intent, text, expected };
    }),
  ),
);

function readFile(): z.infer<typeof fileSchema> {
  const url = new URL('../sentences/timers.yaml', import.meta.url);
  return fileSchema.parse(load(readFileSync(url, 'utf8')));
}

/**
 * The changes to timers, in every notation that the sentences may use: "+timer 5m pasta", "~pasta 8m",
 * "-alarm".
 */
export function changesOf(before: readonly Timer[], after: readonly Timer[], now: number): string[][] {
  const gone = before
    .filter(({ id }) => !after.some((timer) => timer.id === id))
    .map((timer) => [`${timer.state === 'ringing' ? '!' : '-'}${nameOf(timer)}`]);
  const others = after.flatMap((timer) => {
    const old = before.find(({ id }) => id === timer.id);
    if (old?.dueAt === timer.dueAt && old.leftMs === timer.leftMs) return [];
    const sign = old ? `~${nameOf(old)}` : `+${timer.kind}`;
    const more = old
      ? ''
      : `${timer.label ? ` ${timer.label}` : ''}${isElsewhere(timer) ? ` @${timer.room}` : ''}`;
    return [timesOf(timer, now).map((time) => `${sign} ${time}${more}`)];
  });
  return [...gone, ...others];
}

/** Whether the changes match a sentence's expected ones. */
export function areExpected(changes: readonly string[][], expected: string): boolean {
  const wanted = expected.split(/ (?=[-+~!])/);
  return (
    wanted.length === changes.length && changes.every((ways) => ways.some((way) => wanted.includes(way)))
  );
}

function isElsewhere({ room }: Timer): boolean {
  return room !== 'kitchen';
}

function nameOf({ label, kind, durationMs }: Timer): string {
  if (kind !== 'timer') return kind;
  return label ?? spanOf(durationMs ?? 0);
}

function timesOf({ dueAt, leftMs }: Timer, now: number): string[] {
  if (leftMs !== undefined) return [`paused ${spanOf(leftMs)}`];
  const clock = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', ...options }).format(dueAt);
  const time = clock({ hour: '2-digit', minute: '2-digit' });
  return [
    spanOf(dueAt - now),
    `${clock({ weekday: 'short' })} ${time}`,
    `${clock({ day: 'numeric', month: 'short' })} ${time}`,
  ];
}

/** "1h30m", "2m30s". */
function spanOf(ms: number): string {
  let left = Math.round(ms / 1_000);
  const units: readonly [string, number][] = [
    ['d', 86_400],
    ['h', 3_600],
    ['m', 60],
    ['s', 1],
  ];
  return units
    .map(([unit, seconds]) => {
      const count = Math.floor(left / seconds);
      left -= count * seconds;
      return count > 0 ? `${count}${unit}` : '';
    })
    .join('');
}
