import { type ChildProcess, spawn } from 'node:child_process';
import type { Ending } from './ending.ts';
import { gettext } from './gettext.ts';
import { rawFormat, watchProgram } from './sound-program.ts';
import { bytesPerMs, writeWavFile } from './wav.ts';

/** One reply being played. Its end reports how much of it was audible. */
export interface Speech {
  play(samples: Buffer): void;
  /** Marks the end of the sound. */
  end(): void;
  /** Stops playback at once. */
  stop(): void;
  /** Resolves with the played milliseconds once the loudspeaker is silent. */
  playedMs: Promise<number>;
}

export interface Loudspeaker {
  /** Prepares playback of a reply, so that its first sound is not late. */
  begin(): Speech;
  close(): void;
}

interface PlayerOptions {
  device: string;
  onFault: (fault: Ending) => void;
}

/** Plays on the sound card. Each reply gets a separate aplay, whose end is the exact end of the sound. */
export function createPlayer({ device, onFault }: PlayerOptions): Loudspeaker {
  /** Some devices can be opened only once, so a reply waits until the previous one has closed it. */
  let before: Promise<unknown> = Promise.resolve();
  let current: Speech | undefined;
  return {
    begin() {
      const speech = createPlayedSpeech(before, { device, onFault });
      before = speech.playedMs;
      current = speech;
      return speech;
    },
    close: () => current?.stop(),
  };
}

/** Bridges the gaps of a busy Raspberry Pi. */
const deviceBufferMs = 200;

function createPlayedSpeech(before: Promise<unknown>, { device, onFault }: PlayerOptions): Speech {
  const played = Promise.withResolvers<number>();
  const clock = createPlayClock();
  const waiting: Buffer[] = [];
  let child: ChildProcess | undefined;
  let state: 'open' | 'ended' | 'stopped' = 'open';

  const start = () => {
    if (state === 'stopped') return played.resolve(0);
    const args = [...rawFormat, '-D', device, `--buffer-time=${deviceBufferMs * 1_000}`];
    child = spawn('aplay', args, { stdio: ['pipe', 'ignore', 'pipe'] });
    child.stdin?.on('error', () => undefined); // aplay ended: 'close' reports how
    watchProgram(child, {
      name: 'aplay',
      instead: gettext('have the speech written into a file with --out FILE.wav'),
      choose: gettext('"aplay -l" lists the loudspeakers, --speaker-device chooses one.'),
      onEnd: (fault) => {
        played.resolve(state === 'ended' && !fault ? clock.allMs() : clock.playedMs());
        if (fault && state !== 'stopped') onFault(fault);
      },
    });
    for (const samples of waiting) child.stdin?.write(samples);
    if (state === 'ended') child.stdin?.end();
  };
  void before.then(start);

  return {
    playedMs: played.promise,
    play(samples) {
      if (state !== 'open') return;
      clock.add(samples);
      if (child) child.stdin?.write(samples);
      else waiting.push(samples);
    },
    end() {
      if (state === 'open') state = 'ended';
      child?.stdin?.end();
    },
    stop() {
      clock.stop();
      state = 'stopped';
      // Kills at once, so that aplay does not play the rest of its buffer.
      child?.kill('SIGKILL');
    },
  };
}

/** Collects the sound that a loudspeaker would have played, and writes it to a file on close. */
export function createFileLoudspeaker(path: string): Loudspeaker {
  const played: Buffer[] = [];
  const write = () => writeWavFile(path, Buffer.concat(played));
  write(); // fails at the start if the path is not writable
  return {
    begin() {
      const pieces: Buffer[] = [];
      const over = Promise.withResolvers<number>();
      const clock = createPlayClock();
      let timer: NodeJS.Timeout | undefined;
      const finish = (ms: number) => {
        clearTimeout(timer);
        played.push(Buffer.concat(pieces).subarray(0, Math.round(ms) * bytesPerMs));
        pieces.length = 0;
        over.resolve(ms);
      };
      return {
        playedMs: over.promise,
        play(samples) {
          pieces.push(samples);
          clock.add(samples);
        },
        end() {
          timer ??= setTimeout(() => finish(clock.allMs()), clock.leftMs());
        },
        stop() {
          clock.stop();
          finish(clock.playedMs());
        },
      };
    },
    close: write,
  };
}

/** Counts the played time, for sound that plays as soon as it arrives. */
function createPlayClock() {
  let bytes = 0;
  let silentAtMs = 0;
  let stoppedAtMs: number | undefined;
  const allMs = () => bytes / bytesPerMs;
  const leftMs = () => Math.max(0, silentAtMs - (stoppedAtMs ?? performance.now()));
  return {
    add(samples: Buffer) {
      bytes += samples.length;
      silentAtMs = Math.max(silentAtMs, performance.now()) + samples.length / bytesPerMs;
    },
    stop() {
      stoppedAtMs ??= performance.now();
    },
    allMs,
    leftMs,
    playedMs: () => Math.max(0, allMs() - leftMs()),
  };
}
