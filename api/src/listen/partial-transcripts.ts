import type { SoFar } from '../audio/listener.ts';
import type { Chain, HeardWords } from '../jobs/chain.ts';
import type { Clock } from './clock.ts';

/** Shorter sound holds no words worth looking for. */
const leastSoundMs = 500;
/** In a lull the look is put off by this much: if the lull is the end, a look would be in the way of the final transcript. */
const lullMs = 32;

interface PartialTranscriptsOptions {
  chain: Pick<Chain, 'transcribePartial'>;
  clock: Clock;
  /** How often to look (null: never), and the revision of the settings for it. */
  settings: () => { partialsEveryMs: number | null; revision: number };
  /** Null while no voice is heard. */
  soFar: () => SoFar | null;
  onPartial: (heard: Pick<HeardWords, 'text' | 'isSure'>, untilMs: number) => void;
}

/** Transcribes a sentence that is not over, again and again: one look at a time, and only while the speech recognition is free. */
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
        if (!leave.signal.aborted && told && told.text !== '') onPartial(told, said.untilMs);
      })
      // Nobody waits for a partial transcript. If the recognition is broken, the end of the sentence will tell.
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
