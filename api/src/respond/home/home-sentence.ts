import { createHash } from 'node:crypto';
import type { HomeSentence } from '../../engines/home-client.ts';
import { fill } from '../../language/phrase.ts';
import type { TextTurn } from '../core/responder.ts';
import type { House } from './house.ts';
import type { HomeWords } from './understand/home-words.ts';

interface SentenceOptions {
  house: Pick<House, 'areaOf' | 'heatedWith' | 'deviceIn'>;
  words: Pick<HomeWords, 'in_room'>;
}

export type SentenceFor = ReturnType<typeof createSentenceFor>;

/** Builds sentences for Home Assistant, each with the conversation that its references point to. */
export function createSentenceFor({ house, words }: SentenceOptions) {
  const sentenceFor = (
    text: string,
    { turn, signal }: { turn: TextTurn; signal: AbortSignal },
    device: string | null = null,
  ): HomeSentence => ({ text, conversation: homeConversationOf(turn), device, signal });
  /** Home Assistant's name for the room; null: it has no such room. */
  const roomOf = ({ room }: TextTurn): string | null => house.areaOf(room);

  return Object.assign(sentenceFor, {
    roomOf,
    /** A device in the speaker's room; null: none is known. */
    deviceOf: ({ room }: TextTurn): string | null => house.deviceIn(room),
    /** Adds the speaker's room to the sentence. */
    withRoom(text: string, turn: TextTurn): string {
      const room = roomOf(turn);
      return room === null ? text : fill(words.in_room, { text, room });
    },
    /** Phrasings with the speaker's room filled in. Without a room, only those that need none. */
    inRoom(ways: readonly string[], turn: TextTurn): string[] {
      const room = roomOf(turn);
      const places: Readonly<Record<string, string | null>> = { room, heated: house.heatedWith(room) };
      return ways.flatMap((way) => {
        const [place, name = ''] = /\{(\w+)\}/.exec(way) ?? [];
        const within = places[name] ?? null;
        if (place === undefined) return [way];
        return within === null ? [] : [way.replaceAll(place, () => within)];
      });
    },
  });
}

/** Home Assistant accepts any conversation id; this one reveals nothing about the people in it. */
export function homeConversationOf({ conversation }: Pick<TextTurn, 'conversation'>): string | null {
  if (conversation === null) return null;
  return `hearth-${createHash('sha256').update(conversation).digest('hex').slice(0, 24)}`;
}
