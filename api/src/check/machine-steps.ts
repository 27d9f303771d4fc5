import { setTimeout as delay } from 'node:timers/promises';
import type { Decoder } from '../audio/decode.ts';
import { toBytes } from '../audio/pcm.ts';
import type { SandboxKind } from '../audio/run-program.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import { flacOf } from './flac.ts';
import { findDisk, readDisksSeen } from './room.ts';
import { type Finding, failed, fine, type Step } from './step.ts';

interface MachineStepsOptions {
  /** Paths that this process uses. */
  paths: readonly string[];
  workers: WorkerRegistry;
  decoder: Decoder;
}

/** Workers send a heartbeat every second. An engine that uses every core delays some. */
const maxSilenceMs = 4_000;
/** Checks the machine: disk space, programs and workers. */
export function machineSteps({ paths, workers, decoder }: MachineStepsOptions): Step[] {
  const disk = async (): Promise<Finding> => findDisk(await readDisksSeen(paths, workers));

  /** Decodes a file that only ffmpeg can read here, and compares the samples. */
  const ffmpeg = async (signal: AbortSignal): Promise<Finding> => {
    const sound = tone();
    const read = await decoder.decode(flacOf(sound), 'audio/flac', signal);
    return read.samples.equals(sound)
      ? fine(`It reads recordings of any format, ${confinement[await decoder.sandbox()]}.`)
      : failed('ffmpeg read something other than the content of the recording.', reinstall);
  };

  /** Waits for a new heartbeat, because a worker that has just stopped still counts as alive. */
  const alive = async (signal: AbortSignal): Promise<Finding> => {
    const begunAt = performance.now();
    while (workers.lastBeatAt < begunAt && performance.now() - begunAt < maxSilenceMs) {
      await delay(50, undefined, { signal });
    }
    const count = workers.alive().length;
    if (count === 0 || workers.lastBeatAt < begunAt) {
      return failed(
        'No worker is running, so Hearth cannot answer anything.',
        'Look at its lines in "make logs"; "make down" and then "make up" or "make run" start it again.',
      );
    }
    return fine(count === 1 ? 'One is there.' : `${count} are there.`);
  };

  return [
    { name: 'disk', title: 'The disk', limitMs: 5_000, look: disk },
    { name: 'ffmpeg', title: 'ffmpeg', limitMs: 12_000, advice: reinstall, look: ffmpeg },
    { name: 'workers', title: 'The workers', limitMs: 6_000, needs: ['redis'], look: alive },
  ];
}

const confinement: Record<SandboxKind, string> = {
  bubblewrap: 'in a sandbox without network and files',
  landlock: 'in a sandbox without files',
  limits: 'with limits on memory and time, but in no sandbox',
  none: 'but in no sandbox',
};

const reinstall =
  'Install it again: "make up" builds it into the image, "make setup" installs it without Docker.';

/** Half a second of 440 Hz. */
function tone(): Buffer {
  const numbers = new Int16Array(speechRateHz / 2);
  for (const at of numbers.keys())
    numbers[at] = Math.round(8_000 * Math.sin((2 * Math.PI * 440 * at) / speechRateHz));
  return toBytes(numbers);
}
