interface NoticesOptions {
  /** Current notices, most urgent first. */
  current: () => readonly { name: string }[];
  /** The sentence for a notice. Null: it is not spoken. */
  words: (name: string) => string | null;
  /** During quiet hours, notices are not spoken. */
  isQuiet: () => boolean;
  /** Resolves to true for only one satellite, once a day. */
  claim: (name: string) => Promise<boolean>;
  /** The notice was not played: lets another satellite say it. */
  release: (name: string) => Promise<void>;
  onError: (error: unknown) => void;
}

export type Notices = ReturnType<typeof createNotices>;

/** Speaks a notice after an answer, because someone is nearby then. */
export function createNotices({ current, words, isQuiet, claim, release, onError }: NoticesOptions) {
  const tell = async (announce: (text: string) => Promise<boolean>): Promise<void> => {
    for (const { name } of current()) {
      const text = words(name);
      if (text === null || !(await claim(name))) continue;
      const isHeard = await announce(text).catch(() => false);
      if (!isHeard) await release(name);
      // Say at most one notice at a time.
      return;
    }
  };
  return {
    /** Called when the assistant has answered someone. */
    spokenWith(announce: (text: string) => Promise<boolean>): void {
      if (!isQuiet()) tell(announce).catch(onError);
    },
  };
}
