import type { SoFar } from '../audio/listener.ts';
import type { Chain } from '../jobs/chain.ts';
import type { Clock } from './clock.ts';

/** Shorter than this there are no words to speak of. */
const leastSoundMs = 500;
/** A lull may be the end, whose transcription a look would be in the way of. So soon it is known that it was only the gap between two words. */
const lullMs = 32;

interface PartialTranscriptsOptions {
  chain: Pick<Chain, 'transcribePartial'>;
  clock: Clock;
  /** How often, or null for never; and the revision under which. */
  settings: () => { partialsEveryMs: number | null; revision: number };
  /** Null while no voice is heard. */
  soFar: () => SoFar | null;
  onPartial: (transcript: string, untilMs: number) => void;
}

/** Listens in on a sentence that is not over: one look at a time, and only while the speech recognition has nothing better to do. */
export function createPartialTranscripts({
  chain,
  clock,
  settings,
  soFar,
  onPartial,
}: PartialTranscriptsOptions) {
  let stopLook = (): void => undefined;
  let callOff = (): void => undefined;

  const later = (room: string | null) => {
    const { partialsEveryMs } = settings();
    if (partialsEveryMs !== null) callOff = clock.after(partialsEveryMs, () => look(room));
  };
  const look = (room: string | null): void => {
    const said = soFar();
    if (said === null) {
      callOff = clock.after(lullMs, () => look(room));
      return;
    }
    if (said.lengthMs < leastSoundMs) {
      later(room);
      return;
    }
    const leave = new AbortController();
    stopLook = () => leave.abort();
    chain
      .transcribePartial({
        sound: said.joined ?? said.sound,
        room,
        revision: settings().revision,
        signal: leave.signal,
      })
      .then((told) => {
        if (!leave.signal.aborted && told && told.text !== '') onPartial(told.text, said.untilMs);
      })
      // Nobody waits for it: what fails here fails again, and aloud, at the end of the sentence.
      .catch(() => undefined)
      .then(() => {
        if (!leave.signal.aborted) later(room);
      });
  };

  const stop = () => {
    callOff();
    stopLook();
  };
  return {
    start(room: string | null): void {
      stop();
      later(room);
    },
    stop,
  };
}
