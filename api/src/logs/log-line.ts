import { z } from 'zod';
import { parseJson } from '../json.ts';
import { keys } from '../redis/keys.ts';

/** The stream with the newest lines of all processes. */
export const logStream = keys.logs.of();
export const maxLines = 5_000;

/** A longer line is cut, because the cause is at its beginning. */
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

/** A parsed log line: common fields plus optional ones. */
export interface LogLine {
  [more: string]: unknown;
  id: string;
  /** Time of the line in ISO 8601, on its process's clock. */
  at: string;
  level: LogLevel;
  process: string;
  /** Id of the process among those of the same kind. */
  instance: string;
  message: string;
  turn: string | null;
}

/** Parses a stored line. Undefined: it is not one of ours. */
export function readLine(id: string, written: string): LogLine | undefined {
  const { data } = writtenSchema.safeParse(parseJson(written));
  if (data === undefined) return undefined;
  const { time: at, msg: message, level, process, instance, turn = null, ...more } = data;
  return { ...more, id, at, level, process, instance, message, turn };
}

/** Shortens a line to the limit. */
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
    level,
    time,
    process,
    instance,
    turn,
    ...(err && { err }),
    msg: msg.slice(0, maxMessageCharacters),
    cut: true,
  };
  return JSON.stringify(short);
}
