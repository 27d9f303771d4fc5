import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import { createWakeMemory, type WakeMemory } from '../wake/wake-memory.ts';
import type { WakeWord } from '../wake/wake-word.ts';
import type { ServerEvent, WakeMode } from './events/listen-events.ts';
import type { DetectedWakeWord } from './utterance/attention.ts';

/** How often to check for changed wake words and names. */
const lookAtOpenersMs = 10_000;
/** Unaddressed speech that began longer ago than this does not belong to a wake word heard now. */
const maxBeforeWordMs = 2_000;

export interface WakeGateOptions {
  /** Undefined counts as `open`. With a button, sound is always processed. */
  mode: () => WakeMode | undefined;
  /** The satellite detects the wake words itself. */
  isTold: () => boolean;
  /** The current wake words. Unchanged words keep their object identity. */
  words: () => readonly WakeWord[];
  /** The assistant's current names. */
  names: () => readonly string[];
  /**
   * A wake word was just detected, someone is getting an answer, or a playing sound may be stopped by voice.
   */
  isWanted: () => boolean;
  /** How long the current speech may have been for someone else, in ms. Null: there is none. */
  unmeantForMs: () => number | null;
  /** Called for a wake word. `isAnew`: processing starts at its sound, and earlier sound is dropped. */
  onWord: (hit: DetectedWakeWord, isAnew: boolean) => void;
  send: (event: ServerEvent) => void;
  clock: Clock;
  /** Called when the household has chosen other words or names, or new models are available. */
  onOpeners: () => void;
  /** Replaced only in tests. */
  openMemory?: ((words: readonly WakeWord[]) => WakeMemory) | undefined;
}

/** Selects the sound to process: in the mode `word`, only a wake word and the speech after it. */
export function createWakeGate(options: WakeGateOptions) {
  const { mode, isTold, words, isWanted, unmeantForMs, onWord, onOpeners, clock, send } = options;
  const memory = createMemoryCache(words, options.openMemory ?? createWakeMemory);
  let isOpen = false;
  let known = '';
  let cancelTimeout = (): void => undefined;

  const listens = () => mode() !== 'word' || isWanted();
  const set = (isOpenNow: boolean): void => {
    if (isOpenNow === isOpen) return;
    isOpen = isOpenNow;
    send({ type: 'microphone.changed', turn_id: null, open: isOpen });
  };
  /** Opens on any change, but closes only on the next sound: between two events, the state may look idle. */
  const look = (): void => {
    if (!isOpen && listens()) set(true);
  };
  const openersNow = () => JSON.stringify([words().map(({ id }) => id), options.names()]);
  const watchOpeners = (): void => {
    cancelTimeout();
    if (!hasWords(mode()) && !hasNames(mode())) return;
    cancelTimeout = clock.after(lookAtOpenersMs, () => {
      const isNew = openersNow() !== known;
      known = openersNow();
      if (isNew) onOpeners();
      watchOpeners();
    });
  };
  /** Whether a wake word heard now starts a new utterance instead of belonging to the current one. */
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
    /** The satellite has disconnected. */
    stop: (): void => cancelTimeout(),
    /** Resets at the beginning, and after a change of the mode or the detector. */
    reset(): void {
      memory.forget();
      isOpen = mode() !== 'word';
      known = openersNow();
      watchOpeners();
    },
    gap: (): void => memory.of().reset(),
    /** Returns the sound to process. */
    admit(samples: Buffer): { sound: Buffer; isAnew: boolean } {
      const wasOpen = isOpen;
      const before = hearWords(samples, wasOpen);
      set(listens());
      if (before) return { sound: before, isAnew: true };
      return { sound: isOpen ? samples : samples.subarray(0, 0), isAnew: isOpen && !wasOpen };
    },
    /** The satellite has detected a wake word. Returns why it is rejected, or null. */
    onDetection({
      word,
      certainty,
    }: {
      word: string;
      certainty: DetectedWakeWord['certainty'];
    }): AppError | null {
      if (!isTold() || !hasWords(mode()))
        return new AppError(
          'invalid_request',
          'Only a session with "wake_detector": "client" and a wake word mode accepts this event.',
        );
      const phrase = phraseOf(words(), word);
      if (phrase === null)
        return new AppError('invalid_request', `"${word}" is not a wake word of this satellite.`, {
          param: 'word',
        });
      onWord({ phrase, certainty }, !isOpen);
      look();
      return null;
    },
  };
}

/** Whether this mode uses wake words. */
export function hasWords(mode: WakeMode | undefined): boolean {
  return mode === 'word' || mode === 'word+name';
}

/** Whether this mode uses the assistant's names. */
export function hasNames(mode: WakeMode | undefined): boolean {
  return mode === 'name' || mode === 'word+name';
}

function phraseOf(words: readonly WakeWord[], id: string): string | null {
  return words.find((word) => word.id === id)?.phrase ?? null;
}

/** Caches the detector, and replaces it when the wake words change. */
function createMemoryCache(
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
