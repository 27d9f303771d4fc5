import { type ChildProcess, spawn } from 'node:child_process';
import type { Ending } from './ending.ts';
import { gettext } from './gettext.ts';
import { rawFormat, watchProgram } from './sound-program.ts';
import { bytesPerMs } from './wav.ts';

const frameMs = 20;
const frameBytes = frameMs * bytesPerMs;

export interface Microphone {
  /** Starts listening; every frame is 20 ms. */
  open(onFrame: (samples: Buffer) => void): void;
  close(): void;
}

interface RecorderOptions {
  device: string;
  onFault: (fault: Ending) => void;
}

/** The sound card's microphone, by arecord. */
export function createRecorder({ device, onFault }: RecorderOptions): Microphone {
  let child: ChildProcess | undefined;
  let isClosed = false;
  return {
    open(onFrame) {
      if (child || isClosed) return;
      const started = spawn('arecord', [...rawFormat, '-D', device, `--period-time=${frameMs * 1_000}`], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      const cut = createCutter(onFrame);
      started.stdout.on('data', cut);
      watchProgram(started, {
        name: 'arecord',
        instead: gettext('give a recording with --in FILE.wav'),
        choose: gettext('"arecord -l" lists the microphones, --mic-device chooses one.'),
        onEnd: (fault) => {
          if (fault && !isClosed) onFault(fault);
        },
      });
    },
    close() {
      isClosed = true;
      child?.kill('SIGKILL');
    },
  };
}

/** Plays a recording as microphone input, in real time, and then silence. */
export function createFileMicrophone(samples: Buffer, onEnd: () => void): Microphone {
  let timer: NodeJS.Timeout | undefined;
  return {
    open(onFrame) {
      if (timer) return;
      const openedAtMs = performance.now();
      let frames = 0;
      const sendDue = () => {
        for (const due = (performance.now() - openedAtMs) / frameMs; frames < Math.floor(due); frames += 1) {
          const frame = Buffer.alloc(frameBytes);
          samples.subarray(frames * frameBytes, (frames + 1) * frameBytes).copy(frame);
          onFrame(frame);
          if (frames === Math.ceil(samples.length / frameBytes)) onEnd();
        }
      };
      timer = setInterval(sendDue, frameMs / 2);
    },
    close: () => clearInterval(timer),
  };
}

/** Cuts chunks of any size into frames of one size. */
function createCutter(onFrame: (samples: Buffer) => void): (piece: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (piece) => {
    rest = Buffer.concat([rest, piece]);
    for (; rest.length >= frameBytes; rest = rest.subarray(frameBytes)) onFrame(rest.subarray(0, frameBytes));
  };
}
