/** More than any speech has at once: the server sends 2 s ahead, and sounds of the satellite itself are short. */
const maxWaitingBytes = 32_000 * 60;

export interface PlayedSpeech {
  play(samples: Buffer): void;
  /** What has not been played yet will not be. */
  stop(): void;
}

export type PlayedSound = ReturnType<typeof createPlayedSound>;

/**
 * What the loudspeaker plays at this moment. The microphone's frames are its clock: a speech plays from the first frame after its first sample on,
 * without a break, after the speeches before it. So what the echo canceller sees stays in step, however late this program gets its frames.
 */
export function createPlayedSound() {
  let waiting: { speech: object; samples: Buffer }[] = [];
  let waitingBytes = 0;
  const keep = (still: typeof waiting): void => {
    waiting = still;
    waitingBytes = waiting.reduce((sum, { samples }) => sum + samples.length, 0);
  };

  return {
    begin(): PlayedSpeech {
      const speech = {};
      return {
        play(samples) {
          if (waitingBytes + samples.length > maxWaitingBytes) return;
          waiting.push({ speech, samples });
          waitingBytes += samples.length;
        },
        stop: () => keep(waiting.filter((piece) => piece.speech !== speech)),
      };
    },
    /** The next sound, with silence behind it if it is shorter than this; null if nothing plays. */
    next(bytes: number): Buffer | null {
      if (waitingBytes === 0) return null;
      const sound = Buffer.alloc(bytes);
      let filled = 0;
      for (let piece = waiting[0]; piece && filled < bytes; piece = waiting[0]) {
        const taken = piece.samples.copy(sound, filled);
        filled += taken;
        if (taken === piece.samples.length) waiting.shift();
        else piece.samples = piece.samples.subarray(taken);
      }
      waitingBytes -= filled;
      return sound;
    },
  };
}
