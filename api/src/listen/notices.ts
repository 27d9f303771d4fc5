interface NoticesOptions {
  /** What people should know now, the most urgent first. */
  current: () => readonly { name: string }[];
  /** The sentence for it; null: it is not said aloud. */
  words: (name: string) => string | null;
  /** During quiet hours nothing is said unasked. */
  isQuiet: () => boolean;
  /** True for one satellite of all, and for one time in a day. */
  claim: (name: string) => Promise<boolean>;
  /** It was not heard: another satellite may say it. */
  release: (name: string) => Promise<void>;
  onError: (error: unknown) => void;
}

export type Notices = ReturnType<typeof createNotices>;

/** Tells people what they should know, after an answer: then somebody is there. */
export function createNotices({ current, words, isQuiet, claim, release, onError }: NoticesOptions) {
  const tell = async (announce: (text: string) => Promise<boolean>): Promise<void> => {
    for (const { name } of current()) {
      const text = words(name);
      if (text === null || !(await claim(name))) continue;
      const isHeard = await announce(text).catch(() => false);
      if (!isHeard) await release(name);
      // One is enough for now.
      return;
    }
  };
  return {
    /** Somebody has spoken with the assistant, and has been answered. */
    spokenWith(announce: (text: string) => Promise<boolean>): void {
      if (!isQuiet()) tell(announce).catch(onError);
    },
  };
}
