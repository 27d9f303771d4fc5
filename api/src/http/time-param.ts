import { AppError } from '../errors.ts';

/**
 * A date-time parameter as Unix time in ms. Throws for a leap second: the format allows it, but JavaScript
 * has no such time.
 */
export function timeOf(text: string, param: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw new AppError('invalid_request', `"${param}" is not a time of day.`, { param });
}
