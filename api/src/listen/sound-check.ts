import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';

const bytesPerMs = 32;
/** Magic bytes of audio files, which are not raw samples. */
const headers: readonly (readonly [string, string])[] = [
  ['RIFF', 'WAV'],
  ['OggS', 'Ogg'],
  ['fLaC', 'FLAC'],
  ['ID3', 'MP3'],
  ['\x1a\x45\xdf\xa3', 'WebM'],
];
/**
 * How long sound may arrive too fast before the satellite gets an error. A satellite that catches up needs
 * less.
 */
const fastForMs = 5_000;
/** 48 kHz, 44.1 kHz and stereo arrive at two to six times real time, always by mistake. */
const tooFast = 1.9;
/** A recording may be sent faster than real time, but not so fast that other satellites have to wait. */
const fairSpeed = 8;
const fairStartMs = 60_000;

/** Checks whether the bytes of a satellite can be raw speech, without processing them. */
export function createSoundCheck(clock: Clock) {
  let soundMs = 0;
  let firstAtMs: number | null = null;
  let hasComplained = false;
  const elapsedMs = () => clock.nowMs() - (firstAtMs ?? clock.nowMs());

  return {
    /** Returns the fault of a frame, or null. A faulty frame must be dropped. */
    faultOf(samples: Buffer): AppError | null {
      const isFirst = firstAtMs === null;
      firstAtMs ??= clock.nowMs();
      soundMs += samples.length / bytesPerMs;
      const format = isFirst ? formatOf(samples) : undefined;
      if (format !== undefined)
        return wrong(`This is the beginning of a ${format} file. Send only the raw samples.`);
      if (samples.length % 2 === 0) return null;
      return wrong(`A frame must contain whole 2-byte samples, but this one has ${samples.length} bytes.`);
    },
    /** Returned once, when sound has come too fast for too long. */
    complaint(): AppError | null {
      const speed = soundMs / Math.max(1, elapsedMs());
      if (hasComplained || elapsedMs() < fastForMs || speed < tooFast) return null;
      hasComplained = true;
      const times = speed.toFixed(1);
      return wrong(
        `The sound arrives at ${times} times real time. Is it 44.1 or 48 kHz, or stereo? It must be 16 kHz, 16 bits, one channel.`,
      );
    },
    /** How long the satellite must wait before its sound is processed. */
    waitMs: () => Math.max(0, (soundMs - fairStartMs) / fairSpeed - elapsedMs()),
  };
}

function formatOf(samples: Buffer): string | undefined {
  return headers.find(([begin]) => samples.toString('latin1', 0, begin.length) === begin)?.[1];
}

function wrong(message: string): AppError {
  return new AppError('audio_unreadable', message);
}
