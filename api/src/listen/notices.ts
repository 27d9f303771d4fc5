interface NoticesOptions {
  /** Current notices, most urgent first. */
  current: () => readonly { name: string }[];
  /** The sentence for a notice in a language. Null: it is not spoken. */
  words: (name: string, language: string | undefined) => string | null;
  /** During quiet hours, notices are not spoken. */
  isQuiet: () => boolean;
  /** Resolves to true for only one satellite, once a day. */
  claim: (name: string) => Promise<boolean>;
  /** Lets another satellite say a notice that was not played. */
  release: (name: string) => Promise<void>;
  onError: (error: unknown) => void;
}

/** A satellite where someone was answered. */
interface Answered {
  /** Resolves to true if the sentence was played. */
  announce: (text: string) => Promise<boolean>;
  /** The language that is spoken there. Undefined: the household's first one. */
  language: string | undefined;
}

export type Notices = ReturnType<typeof createNotices>;

/** Speaks a notice after an answer, because someone is nearby then. */
export function createNotices({ current, words, isQuiet, claim, release, onError }: NoticesOptions) {
  const tell = async ({ announce, language }: Answered): Promise<void> => {
    for (const { name } of current()) {
      const text = words(name, language);
      if (text === null || !(await claim(name))) continue;
      const wasPlayed = await announce(text).catch(() => false);
      if (!wasPlayed) await release(name);
      // Say at most one notice at a time.
      return;
    }
  };
  return {
    /** Called when the assistant has answered someone. */
    spokenWith(satellite: Answered): void {
      if (!isQuiet()) tell(satellite).catch(onError);
    },
  };
}
