import { spawn } from 'node:child_process';
import type { ServerEvent } from './event.ts';
import { gettext } from './gettext.ts';
import { createMoments, type Moment } from './moments.ts';

/** Maximum number of running programs, in case one hangs. */
const maxAtOnce = 4;

/**
 * Starts the household's program at each such moment, with the moment's name as its only argument. While too
 * many run, it keeps the newest moment for later, so that no light stays in an old state.
 */
export function createEventProgram(program: string | undefined, tell: (line: string) => void) {
  let running = 0;
  let last: Moment | undefined;
  let waiting: Moment | undefined;
  let hasFailed = false;
  const momentOf = createMoments();
  const start = (moment: Moment): void => {
    waiting = running < maxAtOnce ? undefined : moment;
    if (program === undefined || moment === last || waiting) return;
    last = moment;
    running += 1;
    // The program gets no environment of ours, because it may contain the token.
    const child = spawn(program, [moment], { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '' } });
    child.on('error', (error) => {
      ended();
      if (!hasFailed) tell(gettext('%s cannot be started: %s', program, error.message));
      hasFailed = true;
    });
    child.on('close', () => {
      if (child.pid !== undefined) ended();
    });
  };
  const ended = (): void => {
    running -= 1;
    if (waiting) start(waiting);
  };
  return {
    start,
    follow(event: ServerEvent): void {
      const moment = momentOf(event);
      if (moment) start(moment);
    },
  };
}
