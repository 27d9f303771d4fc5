import type { WakeMemory } from '../api/src/wake/wake-memory.ts';
import type { WakeWord } from '../api/src/wake/wake-word.ts';
import { ask } from './ask.ts';
import type { ClientEvent, ServerEvent } from './event.ts';

/** The household's words with their models are some hundred kilobytes. */
const withinMs = 10_000;

interface WakeGateOptions {
  /** Hearth's address. */
  url: URL;
  token: string | undefined;
  send: (event: ClientEvent) => void;
  sendSound: (samples: Buffer) => void;
  tell: (line: string) => void;
}

type Session = Extract<ServerEvent, { type: 'session.created' }>['session'];
type WakeMode = NonNullable<Session['wake']>;

/**
 * Decides which sound of the room is sent. In `word` mode, it sends nothing until it detects a wake word
 * here. Then it sends 1.5 s of earlier sound, and everything while Hearth listens. It sends everything in
 * other modes, or if the detector or its models are missing. The household may change the mode at any time.
 */
export function createWakeGate({ url, token, send, sendSound, tell }: WakeGateOptions) {
  let memory: WakeMemory | null = null;
  /** `waiting`: it is undecided which side detects the words. */
  let detector: 'waiting' | 'here' | 'server' = 'waiting';
  let isOpen = false;
  let chosen = '';
  let mode: WakeMode | null = null;
  let attempt = 0;

  const beginHere = async (): Promise<void> => {
    const current = ++attempt;
    const made = await makeMemory(url, token);
    // A newer connection or newer words have replaced this attempt.
    if (current !== attempt) return;
    if (typeof made === 'string') {
      tell(`${made} All sound is sent, and Hearth listens for the wake word in it.`);
      detector = 'server';
      return;
    }
    [memory, detector, isOpen] = [made, 'here', false];
    send({ type: 'session.update', session: { wake_detector: 'client' } });
  };

  const hearHere = (samples: Buffer): void => {
    const { hits, before } = memory?.push(samples) ?? { hits: [], before: null };
    for (const { word, certainty } of hits) send({ type: 'wake.heard', word, certainty });
    if (isOpen) sendSound(samples);
    else if (before) sendSound(Buffer.from(before.buffer, before.byteOffset, before.length));
    isOpen ||= before !== null;
  };

  /** Cancels an attempt that was started for another mode. */
  const beginAll = (): void => {
    attempt += 1;
    detector = 'server';
  };
  const follow = (session: Session, isNew: boolean): void => {
    const [before, now] = [mode, session.wake ?? 'open'];
    const words = namesOf(session.wake_words ?? []);
    const isSame = !isNew && now === before && words === chosen;
    [mode, chosen] = [now, words];
    if (isSame) return;
    const isOrdinary = isNew && now === 'open';
    if ((now !== before || isNew) && !isOrdinary) tell(whomItAnswers(session));
    if (now === 'word') void beginHere();
    else beginAll();
  };

  return {
    hear(samples: Buffer): void {
      if (detector === 'server') sendSound(samples);
      else if (detector === 'here') hearHere(samples);
    },
    handle(event: ServerEvent): void {
      if (event.type === 'session.created') {
        [detector, isOpen] = ['waiting', false];
        follow(event.session, true);
      } else if (event.type === 'session.updated') {
        follow(event.session, false);
      } else if (event.type === 'microphone.changed') {
        isOpen = event.open;
      } else if (event.type === 'error' && event.event === 'wake.heard') {
        // The household has changed its words.
        isOpen = false;
        void beginHere();
      }
    },
  };
}

const namesOf = (words: readonly { word: string }[]) => words.map(({ word }) => word).join();

/** Returns a sentence for the person at the device. */
function whomItAnswers({ wake = 'open', wake_words: words = [], names = [] }: Session): string {
  if (wake === 'open') return 'It answers every sentence.';
  // Older servers do not send the names.
  const called = names.length === 0 ? 'its name' : `the name ${quoted(names)}`;
  if (wake === 'name') return `It answers sentences with ${called}.`;
  if (wake === 'word+name') return `It answers sentences with ${called} or a wake word.`;
  const phrases = quoted(words.map(({ phrase }) => phrase));
  return words.length === 0 ? 'There is no wake word.' : `It listens for ${phrases}.`;
}

const quoted = (words: readonly string[]) => words.map((each) => `"${each}"`).join(' or ');

/** Creates the detector for the household's words; returns a sentence if that fails. */
async function makeMemory(url: URL, token: string | undefined): Promise<WakeMemory | string> {
  // An installation may contain only the folder satellite/.
  const module = await import('../api/src/wake/wake-memory.ts').catch(() => null);
  if (module === null) return 'The folder api/src/wake is not beside this one.';
  try {
    const answer = await ask(new URL('/wake-words', url), {
      token,
      signal: AbortSignal.timeout(withinMs),
    });
    if (!answer.ok) return `Hearth returned no wake word models (${answer.status}).`;
    return module.createWakeMemory(wordsIn(await answer.json()));
  } catch {
    return 'The wake word models could not be downloaded.';
  }
}

/** Throws if the body differs from openapi.yaml. */
function wordsIn(body: unknown): WakeWord[] {
  const { words } = fieldsOf(body);
  if (!Array.isArray(words)) throw new TypeError('no words');
  return words.map((each) => {
    const { word, phrase, cutoff, window_size, step_ms, model } = fieldsOf(each);
    return {
      id: text(word),
      phrase: text(phrase),
      modelFile: `${text(word)}.tflite`,
      languages: [],
      cutoff: number(cutoff),
      windowSize: number(window_size),
      stepMs: number(step_ms),
      model: Uint8Array.from(Buffer.from(text(model), 'base64')),
    };
  });
}

function fieldsOf(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new TypeError('no object');
  return { ...value };
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('no text');
  return value;
}

function number(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('no number');
  return value;
}
