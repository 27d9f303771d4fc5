import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';

/** Where the lines of every process lie, the newest so many of them. */
export const logStream = keys.logs.of();
export const maxLines = 5_000;

/** A longer line is cut: what went wrong stands at its beginning. */
export const maxLineBytes = 8_192;
const maxMessageCharacters = 1_000;

export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
export type LogLevel = (typeof logLevels)[number];

const writtenSchema = z.looseObject({
  level: z.enum(logLevels),
  time: z.string(),
  process: z.string().default('api'),
  instance: z.string().default(''),
  msg: z.string().default(''),
  turn: z.string().optional(),
});

/** A line as it is told: what every line has, and what only some have beside it. */
export interface LogLine {
  [more: string]: unknown;
  id: string;
  /** When it was written, in ISO 8601; its process's own clock. */
  at: string;
  level: LogLevel;
  process: string;
  /** Which of several processes of the same kind. */
  instance: string;
  message: string;
  turn: string | null;
}

/** Reads a line as a process wrote it; undefined when it is none of ours. */
export function readLine(id: string, written: string): LogLine | undefined {
  const { data } = writtenSchema.safeParse(parseJson(written));
  if (data === undefined) return undefined;
  const { time: at, msg: message, level, process, instance, turn = null, ...more } = data;
  return { ...more, id, at, level, process, instance, message, turn };
}

/** A line that is no longer than it may be. */
export function bounded(written: string): string {
  if (Buffer.byteLength(written) <= maxLineBytes) return written;
  const { data } = writtenSchema.safeParse(parseJson(written));
  if (data === undefined) return '';
  const { level, time, process, instance, turn, msg } = data;
  const { data: fault } = z
    .object({ err: z.object({ type: z.string().optional(), message: z.string() }) })
    .safeParse(data);
  const err = fault && { ...fault.err, message: fault.err.message.slice(0, maxMessageCharacters) };
  const short = {
    ...{ level, time, process, instance, turn },
    ...(err && { err }),
    msg: msg.slice(0, maxMessageCharacters),
    cut: true,
  };
  return JSON.stringify(short);
}
