import { ask } from './ask.ts';
import { isObject, textField } from './event.ts';
import { spokenByHouse } from './house-voice.ts';

/** A question, and the words of which its answer must contain one. */
export interface HearMe {
  question: string;
  answer: readonly string[];
}

/** The sentences that a satellite says itself, in the language with this tag. */
export interface HouseWords {
  language: string;
  /** For the case that the server is unreachable. Empty: the language has none. */
  lost: string;
  hearMe: HearMe;
}

interface House {
  url: URL;
  token: string | undefined;
}

const withinMs = 10_000;

/** Fetches the sentences in this language, or in the household's first. Null: the server did not answer. */
export async function wordsOfHouse({ url, token }: House, language?: string): Promise<HouseWords | null> {
  const address = new URL('/satellite-words', url);
  if (language !== undefined) address.searchParams.set('language', language);
  try {
    const answer = await ask(address, { token, signal: AbortSignal.timeout(withinMs) });
    return answer.ok ? readWords(await answer.json()) : null;
  } catch {
    return null;
  }
}

/** Null if the body differs from openapi.yaml. */
function readWords(body: unknown): HouseWords | null {
  if (!isObject(body) || !isObject(body['hear_me'])) return null;
  const { question, answer } = body['hear_me'];
  if (typeof question !== 'string' || !Array.isArray(answer)) return null;
  return {
    language: textField(body, 'language'),
    lost: textField(body, 'lost'),
    hearMe: { question, answer: answer.filter((word) => typeof word === 'string') },
  };
}

/**
 * Whether the person answered as asked. The microphone may also hear the end of the satellite's own question,
 * which contains the answer: "Say yes."
 */
export function isAnswered(transcript: string, { question, answer }: HearMe): boolean {
  const own = wordsIn(question).slice(-2).join(' ');
  const said = wordsIn(transcript).join(' ').replace(own, '');
  return wordsIn(said).some((word) => answer.includes(word));
}

const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export type LostWords = ReturnType<typeof createLostWords>;

/** The sentence for an outage as sound, which can be fetched only before it. */
export function createLostWords(house: House) {
  let kept: { text: string; sound: Buffer } | null = null;
  return {
    sound: (): Buffer | null => kept?.sound ?? null,
    /** Call it with each connection, because the household may have changed the language. */
    async prepare(chosen: string | undefined): Promise<void> {
      const words = await wordsOfHouse(house, chosen);
      if (words === null || words.lost === kept?.text) return;
      if (words.lost === '') kept = null;
      const sound = words.lost === '' ? null : await spokenByHouse(house, words.lost, words.language);
      if (sound) kept = { text: words.lost, sound };
    },
  };
}
