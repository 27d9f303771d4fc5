import { AppError } from '../errors.ts';

/**
 * A parameter of the format date-time as Unix time in ms. A leap second is of that format, and no time that
 * any clock of ours knows.
 */
export function timeOf(text: string, param: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new AppError('invalid_request', `"${param}" is no time that the clock shows.`, { param });
}
