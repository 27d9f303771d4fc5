import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeWav } from '../../../api/src/audio/wav.ts';
import { waitFor } from '../wait-for.ts';
import { endsWithTests } from './spawned.ts';

export const satelliteProgram = resolve(import.meta.dirname, '../../../satellite/main.ts');

export type SatelliteProgram = ReturnType<typeof startSatelliteProgram>;

/**
 * Starts the reference satellite in the mode that answers everything. Its PATH has only the programs of the
 * folder.
 */
export function startSatelliteProgram(
  folder: string,
  args: string[],
  env: Record<string, string> = {},
  within: readonly string[] = [],
) {
  const [program = '', ...rest] = [...within, process.execPath, satelliteProgram, ...args];
  const child = endsWithTests(spawn(program, rest, { env: { PATH: folder, HEARTH_WAKE: 'open', ...env } }));
  let said = '';
  let told = '';
  child.stdout.on('data', (text) => (said += text));
  child.stderr.on('data', (text) => (told += text));
  const ended: Promise<unknown> = once(child, 'close').then(([code]) => code);
  return {
    pid: child.pid ?? 0,
    type: (keys: string) => child.stdin.write(keys),
    closeInput: () => child.stdin.end(),
    interrupt: () => child.kill('SIGINT'),
    stop: () => child.kill('SIGTERM'),
    kill: () => child.kill('SIGKILL'),
    /** Freezes it, like a hanging machine. */
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    /** Its exit code. */
    ended,
    /** The words that it heard and spoke. */
    said: () => said,
    /** All other messages to the person. */
    told: () => told,
    /** Waits until this appears in either. */
    tells: (text: RegExp, withinMs = 30_000) => {
      const look = () => {
        if (text.test(told) || text.test(said)) return true;
        throw new Error(
          `it told ${JSON.stringify(told.slice(-300))} and said ${JSON.stringify(said.slice(-300))}`,
        );
      };
      return waitFor(look, { what: String(text), withinMs });
    },
  };
}

/** Replaces a sound card program with a few lines of shell. */
export function placeSoundProgram(folder: string, name: 'arecord' | 'aplay', script: string): void {
  const file = join(folder, name);
  writeFileSync(`${file}.part`, `#!/bin/sh\nPATH=/usr/bin:/bin\n${script}\n`, { mode: 0o755 });
  renameSync(`${file}.part`, file); // a program that is just being started cannot be written to
}

/** A fake arecord in real time: silence, plus the sound it is given. */
const recorder = `
  import { existsSync, readFileSync, rmSync } from 'node:fs';
  const [file] = process.argv.slice(2);
  const begunAtMs = performance.now();
  let clip = Buffer.alloc(0);
  let frames = 0;
  setInterval(() => {
    if (existsSync(file)) {
      clip = Buffer.concat([clip, readFileSync(file).subarray(44)]);
      rmSync(file);
    }
    for (const due = (performance.now() - begunAtMs) / 20; frames < due; frames += 1) {
      const frame = Buffer.alloc(640);
      clip.copy(frame);
      clip = clip.subarray(640);
      process.stdout.write(frame);
    }
  }, 10);`;

/**
 * A sound card in a separate room. Its microphone hears the given sound, and its loudspeaker reaches no
 * microphone.
 */
export function placeSoundCard(folder: string): { say: (samples: Buffer) => void } {
  const spoken = join(folder, 'spoken.wav');
  writeFileSync(join(folder, 'recorder.mjs'), recorder);
  placeSoundProgram(folder, 'arecord', `exec ${process.execPath} ${join(folder, 'recorder.mjs')} ${spoken}`);
  placeSoundProgram(folder, 'aplay', 'exec cat > /dev/null');
  return {
    say: (samples) => {
      writeFileSync(`${spoken}.part`, writeWav({ sampleRateHz: 16_000, samples }));
      renameSync(`${spoken}.part`, spoken); // atomic write
    },
  };
}
