import { AppError } from '../errors.ts';
import { createWakeMemory, type WakeMemory } from '../wake/wake-memory.ts';
import type { WakeWord } from '../wake/wake-word.ts';
import type { HeardWord } from './attention.ts';
import type { Clock } from './clock.ts';
import type { ServerEvent, WakeMode } from './listen-events.ts';

/** Other words are found so soon after somebody has chosen them. */
const lookAtWordsMs = 10_000;
/** Speech that began so long ago, which nobody knows to be for the assistant, is not the sentence of a word that is heard now. */
const maxBeforeWordMs = 2_000;

export interface WakeEarsOptions {
  /** Left out: every sentence is answered. With a button, sound is always listened to. */
  mode: () => WakeMode | undefined;
  /** The satellite listens for the words itself. */
  isTold: () => boolean;
  /** The words that wake it; the same objects as long as they stay the same. */
  words: () => readonly WakeWord[];
  /** A word was just heard, somebody is being answered, or something sounds that people may want to stop. */
  isWanted: () => boolean;
  /** Somebody has been speaking for so long who may not mean the assistant; null: nobody is. */
  unmeantForMs: () => number | null;
  /** `isAnew`: its sound is listened to from the beginning, and nothing from before. */
  onWord: (heard: HeardWord, isAnew: boolean) => void;
  send: (event: ServerEvent) => void;
  clock: Clock;
  /** The household has chosen other words, or their models have come. */
  onWords: () => void;
  /** Only tests listen otherwise. */
  openMemory?: ((words: readonly WakeWord[]) => WakeMemory) | undefined;
}

export type WakeEars = ReturnType<typeof createWakeEars>;

/** What of a satellite's sound is listened to: in the mode `word` only what comes with a wake word, and what follows on it. */
export function createWakeEars(options: WakeEarsOptions) {
  const { mode, isTold, words, isWanted, unmeantForMs, onWord, onWords, clock, send } = options;
  const memory = createKeptMemory(words, options.openMemory ?? createWakeMemory);
  let isOpen = false;
  let known = '';
  let callOff = (): void => undefined;

  const listens = () => mode() !== 'word' || isWanted();
  const set = (isOpenNow: boolean): void => {
    if (isOpenNow === isOpen) return;
    isOpen = isOpenNow;
    send({ type: 'microphone.changed', turn_id: null, open: isOpen });
  };
  /** Something has changed. Only the next sound tells that nothing is wanted any more: between two events it may look so. */
  const look = (): void => {
    if (!isOpen && listens()) set(true);
  };
  const wordsNow = () =>
    words()
      .map(({ id }) => id)
      .join();
  const watchWords = (): void => {
    callOff();
    if (!hasWords(mode())) return;
    callOff = clock.after(lookAtWordsMs, () => {
      const isNew = wordsNow() !== known;
      known = wordsNow();
      if (isNew) onWords();
      watchWords();
    });
  };
  /** Whether what is open is the sentence of a word that is heard now. */
  const beginsAnew = (wasOpen: boolean): boolean => !wasOpen || (unmeantForMs() ?? 0) > maxBeforeWordMs;

  const hearWords = (samples: Buffer, wasOpen: boolean): Buffer | null => {
    if (isTold() || !hasWords(mode())) return null;
    const { hits, before } = memory.of().push(samples);
    if (before === null) return null;
    const isAnew = beginsAnew(wasOpen);
    for (const { word, certainty } of hits)
      onWord({ phrase: phraseOf(words(), word) ?? word, certainty }, isAnew);
    return isAnew ? Buffer.from(before.buffer, before.byteOffset, before.length) : null;
  };

  return {
    look,
    /** The satellite has gone. */
    stop: (): void => callOff(),
    /** It begins, or the mode or who listens for words has changed. */
    reset(): void {
      memory.forget();
      isOpen = mode() !== 'word';
      known = wordsNow();
      watchWords();
    },
    gap: (): void => memory.of().reset(),
    /** What of the sound is listened to. */
    admit(samples: Buffer): { sound: Buffer; isAnew: boolean } {
      const wasOpen = isOpen;
      const before = hearWords(samples, wasOpen);
      set(listens());
      if (before) return { sound: before, isAnew: true };
      return { sound: isOpen ? samples : samples.subarray(0, 0), isAnew: isOpen && !wasOpen };
    },
    /** The satellite has heard a word itself. Returns why that does not count; null: it does. */
    told({ word, certainty }: { word: string; certainty: HeardWord['certainty'] }): AppError | null {
      if (!isTold() || !hasWords(mode()))
        return new AppError('invalid_request', 'This session does not listen for wake words by itself.');
      const phrase = phraseOf(words(), word);
      if (phrase === null)
        return new AppError('invalid_request', `"${word}" is none of the words that wake this satellite.`, {
          param: 'word',
        });
      onWord({ phrase, certainty }, !isOpen);
      look();
      return null;
    },
  };
}

/** Whether wake words wake it in this mode. */
export function hasWords(mode: WakeMode | undefined): boolean {
  return mode === 'word' || mode === 'word+name';
}

function phraseOf(words: readonly WakeWord[], id: string): string | null {
  return words.find((word) => word.id === id)?.phrase ?? null;
}

/** The detector for the words of now: another one when they change. */
function createKeptMemory(
  words: () => readonly WakeWord[],
  open: (words: readonly WakeWord[]) => WakeMemory,
) {
  let made: { of: readonly WakeWord[]; memory: WakeMemory } | null = null;
  return {
    of(): WakeMemory {
      const now = words();
      const isSame = made?.of.length === now.length && made.of.every((word, at) => word === now[at]);
      if (made === null || !isSame) made = { of: now, memory: open(now) };
      return made.memory;
    },
    forget(): void {
      made = null;
    },
  };
}
