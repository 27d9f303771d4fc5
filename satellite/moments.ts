import type { ServerEvent } from './event.ts';

/** A moment that a light shows. */
export type Moment =
  | 'connected'
  | 'lost'
  | 'listening'
  | 'thinking'
  | 'speaking'
  | 'ringing'
  | 'awake'
  | 'idle';

/** Reads from the server's events what a light has to show. */
export function createMoments() {
  /** People need no name or wake word now. */
  let isAwake = false;
  /** Someone speaks, or an answer is on its way. */
  let isBusy = false;

  /** Between two turns. */
  const rest = (): Moment => {
    isBusy = false;
    return isAwake ? 'awake' : 'idle';
  };
  const work = (moment: Moment): Moment => {
    isBusy = true;
    return moment;
  };

  /** Undefined: the event changes nothing. */
  return (event: ServerEvent): Moment | undefined => {
    switch (event.type) {
      case 'session.created':
        isAwake = false;
        isBusy = false;
        return 'connected';
      case 'input_audio_buffer.speech_started':
        return work('listening');
      case 'input_audio_buffer.committed':
        return work('thinking');
      case 'response.output_audio.started':
        return work('speaking');
      case 'timer.finished':
        return 'ringing';
      case 'input_audio_buffer.cleared':
      case 'response.done':
        return rest();
      case 'wake.changed':
        isAwake = event.awake;
        return isBusy ? undefined : rest();
      default:
        return undefined;
    }
  };
}
