import type { Pcm } from '../../../api/src/audio/pcm.ts';

interface MicrophoneOptions {
  /** Takes each frame as it is recorded. */
  send: (samples: Buffer) => void;
  /** Multiple of real time. */
  speed?: number;
  frameMs?: number;
}

/** A clip that was spoken into the microphone. */
interface Spoken {
  /** Time at which the sound at this position of the clip was sent, in ms of performance.now(). */
  sentAtMs(placeMs: number): number;
}

interface Clip {
  samples: Buffer;
  at: number;
  sentAtMs: number[];
  spoken: (spoken: Spoken) => void;
}

const rateHz = 16_000;

/**
 * A microphone that is always open; it sends silence while no clip plays. Frames leave when a real microphone
 * would have recorded them.
 */
export function openMicrophone({ send, speed = 1, frameMs = 20 }: MicrophoneOptions) {
  const frameBytes = (rateHz / 1000) * frameMs * 2;
  const clips: Clip[] = [];
  const openedAtMs = performance.now();
  let frames = 0;

  const sendFrame = () => {
    const frame = Buffer.alloc(frameBytes);
    const clip = clips[0];
    if (clip) {
      clip.samples.copy(frame, 0, clip.at, clip.at + frameBytes);
      clip.at += frameBytes;
      clip.sentAtMs.push(performance.now());
    }
    send(frame);
    if (!clip || clip.at < clip.samples.length) return;
    clips.shift();
    clip.spoken({ sentAtMs: (placeMs) => clip.sentAtMs[Math.floor(placeMs / frameMs)] ?? Number.NaN });
  };
  const sendDue = () => {
    const due = Math.floor(((performance.now() - openedAtMs) * speed) / frameMs);
    for (; frames < due; frames += 1) sendFrame();
  };
  const timer = setInterval(sendDue, Math.max(1, frameMs / speed / 2));

  return {
    /** Speaks a clip after the queued ones; resolves when its last frame was sent. */
    say: ({ sampleRateHz, samples }: Pcm): Promise<Spoken> => {
      if (sampleRateHz !== rateHz || samples.length === 0) throw new Error(`a clip of ${sampleRateHz} Hz`);
      return new Promise((spoken) => clips.push({ samples, at: 0, sentAtMs: [], spoken }));
    },
    close: () => clearInterval(timer),
  };
}
