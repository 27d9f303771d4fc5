/** More than any speech buffers: the server sends 2 s ahead, and the satellite's own sounds are short. */
const maxWaitingBytes = 32_000 * 60;

interface PlayedSpeech {
  play(samples: Buffer): void;
  /** Drops the sound that has not played yet. */
  stop(): void;
}

/**
 * Models the sound the loudspeaker plays now. The microphone's frames are its clock. A speech plays without
 * gaps, from the first frame after its first sample, after earlier speeches. The echo canceller's input
 * therefore stays in step, however late this program gets its frames.
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
    /** Returns the next sound, padded with silence; null if nothing plays. */
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
