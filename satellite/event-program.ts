import { spawn } from 'node:child_process';
import type { ServerEvent } from './event.ts';

/** A moment that a light shows. */
type Moment = 'connected' | 'lost' | 'listening' | 'thinking' | 'speaking' | 'ringing' | 'idle';

/** Maximum number of running programs, in case one hangs. */
const maxAtOnce = 4;

/** Starts the household's program at each such moment, with the moment's name as its only argument. */
export function createEventProgram(program: string | undefined, tell: (line: string) => void) {
  let running = 0;
  let last: Moment | undefined;
  let hasFailed = false;
  const start = (moment: Moment): void => {
    if (program === undefined || moment === last || running >= maxAtOnce) return;
    last = moment;
    running += 1;
    // The program gets no environment of ours, because it may contain the token.
    const child = spawn(program, [moment], { stdio: 'ignore', env: { PATH: process.env['PATH'] ?? '' } });
    child.on('error', (error) => {
      running -= 1;
      if (!hasFailed) tell(`${program} cannot be started: ${error.message}`);
      hasFailed = true;
    });
    child.on('close', () => {
      if (child.pid !== undefined) running -= 1;
    });
  };
  return {
    start,
    follow(event: ServerEvent): void {
      const moment = momentOf(event);
      if (moment) start(moment);
    },
  };
}

function momentOf(event: ServerEvent): Moment | undefined {
  switch (event.type) {
    case 'session.created':
      return 'connected';
    case 'input_audio_buffer.speech_started':
      return 'listening';
    case 'input_audio_buffer.committed':
      return 'thinking';
    case 'response.output_audio.started':
      return 'speaking';
    case 'timer.finished':
      return 'ringing';
    case 'input_audio_buffer.cleared':
    case 'response.done':
      return 'idle';
    default:
      return undefined;
  }
}
