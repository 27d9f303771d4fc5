import { type LogLevel, type LogLine, logLevels } from './log-line.ts';

export interface LogFilter {
  /** Minimum level. */
  level?: LogLevel | undefined;
  process?: string | undefined;
  turn?: string | undefined;
  /** Unix time in ms, both inclusive. */
  sinceMs?: number | undefined;
  untilMs?: number | undefined;
  /** Text anywhere in the line, ignoring case. Never a pattern. */
  text?: string | undefined;
}

/** Builds the predicate for a filter. */
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

/** A live turn has several attempts, with the turn id and a number. */
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
