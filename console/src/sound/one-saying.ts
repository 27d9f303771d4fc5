import type { FromMicrophone } from './messages.ts';

const rateHz = 16_000;
const frameMs = 20;
/** Level (0 to 1) above which someone speaks. Below half of it, no one does. */
const spoken = 0.06;
/** Silence to keep before the voice (`lead`), and silence that ends the recording (`end`). */
const leadMs = 400;
const endMs = 700;
/** Maximum length of a name, and maximum wait for its beginning. */
const maxMs = 4_000;
const maxWaitMs = 8_000;

/** Records one utterance from a microphone's frames, with a little silence around it. */
export function createOneSaying() {
  const frames: FromMicrophone['frame'][] = [];
  let waitedMs = 0;
  let spokenMs = 0;
  let quietMs = 0;
  return {
    /** The finished recording. `nothing`: no one spoke. Null: it continues. */
    push({ frame, level }: FromMicrophone): Blob | 'nothing' | null {
      frames.push(frame);
      waitedMs += frameMs;
      if (spokenMs === 0 && level < spoken) {
        if (frames.length > leadMs / frameMs) frames.shift();
        return waitedMs >= maxWaitMs ? 'nothing' : null;
      }
      spokenMs += frameMs;
      quietMs = level < spoken / 2 ? quietMs + frameMs : 0;
      return quietMs >= endMs || spokenMs >= maxMs ? wavOf(frames) : null;
    },
  };
}

/** A mono WAV file at 16 kHz. */
function wavOf(frames: readonly FromMicrophone['frame'][]): Blob {
  const bytes = frames.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const head = new DataView(new ArrayBuffer(44));
  for (const [at, letters] of [
    [0, 'RIFF'],
    [8, 'WAVE'],
    [12, 'fmt '],
    [36, 'data'],
  ] as const)
    for (const [n, letter] of [...letters].entries()) head.setUint8(at + n, letter.charCodeAt(0));
  head.setUint32(4, 36 + bytes, true);
  head.setUint32(16, 16, true);
  head.setUint16(20, 1, true);
  head.setUint16(22, 1, true);
  head.setUint32(24, rateHz, true);
  head.setUint32(28, 2 * rateHz, true);
  head.setUint16(32, 2, true);
  head.setUint16(34, 16, true);
  head.setUint32(40, bytes, true);
  return new Blob([head, ...frames], { type: 'audio/wav' });
}
