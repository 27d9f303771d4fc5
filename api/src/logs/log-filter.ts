import { type LogLevel, type LogLine, logLevels } from './log-line.ts';

export interface LogFilter {
  /** At least this level. */
  level?: LogLevel | undefined;
  process?: string | undefined;
  turn?: string | undefined;
  /** Unix time in ms, both inclusive. */
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  /** Words that stand somewhere in the line, in whatever case. Never a pattern. */
  text?: string | undefined;
}

/** Whether a line is asked for. */
export function createLogFilter({ level, process, turn, sinceMs, untilMs, text }: LogFilter) {
  const lowest = level === undefined ? 0 : logLevels.indexOf(level);
  const wanted = text?.toLowerCase();
  return (line: LogLine): boolean =>
    logLevels.indexOf(line.level) >= lowest &&
    (process === undefined || line.process === process) &&
    (turn === undefined || isOfTurn(line, turn)) &&
    (sinceMs === undefined || Date.parse(line.at) >= sinceMs) &&
    (untilMs === undefined || Date.parse(line.at) <= untilMs) &&
    (wanted === undefined || wanted === '' || holds(line, wanted));
}

/** A turn spoken at a satellite is begun anew when the person goes on: these beginnings have its id and a number. */
function isOfTurn({ turn, request }: LogLine, wanted: string): boolean {
  return turn === wanted || request === wanted || (turn?.startsWith(`${wanted}.`) ?? false);
}

function holds(line: LogLine, wanted: string): boolean {
  return textsOf(line).some((text) => text.toLowerCase().includes(wanted));
}

function textsOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf);
  return value === null || value === undefined ? [] : [String(value)];
}
