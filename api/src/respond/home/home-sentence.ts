import { createHash } from 'node:crypto';
import type { HomeSentence } from '../../engines/home-client.ts';
import { fill } from '../../language/phrase.ts';
import type { AskedTurn } from '../responder.ts';
import type { HomeWords } from './home-words.ts';
import type { House } from './house.ts';

interface SentenceOptions {
  house: Pick<House, 'areaOf' | 'heatedWith' | 'deviceIn'>;
  words: Pick<HomeWords, 'in_room'>;
}

export type SentenceFor = ReturnType<typeof createSentenceFor>;

/** Makes sentences for Home Assistant, each with the conversation whose earlier sentences it may refer to. */
export function createSentenceFor({ house, words }: SentenceOptions) {
  const sentenceFor = (
    text: string,
    { turn, signal }: { turn: AskedTurn; signal: AbortSignal },
    device: string | null = null,
  ): HomeSentence => ({ text, conversation: conversationOf(turn), device, signal });
  /** Home Assistant's name for the room; null: it has no such room. */
  const roomOf = ({ room }: AskedTurn): string | null => house.areaOf(room);

  return Object.assign(sentenceFor, {
    roomOf,
    /** A device in the room where it was said; null: none is known. */
    deviceOf: ({ room }: AskedTurn): string | null => house.deviceIn(room),
    /** The sentence with the room where it was said. */
    withRoom(text: string, turn: AskedTurn): string {
      const room = roomOf(turn);
      return room === null ? text : fill(words.in_room, { text, room });
    },
    /** Ways to say a command, with the speaker's room filled in. Without a room only the ways that need none. */
    inRoom(ways: readonly string[], turn: AskedTurn): string[] {
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

/** Home Assistant accepts any name for a conversation; this one reveals nothing about the people in it. */
function conversationOf({ conversation }: AskedTurn): string | null {
  if (conversation === null) return null;
  return `hearth-${createHash('sha256').update(conversation).digest('hex').slice(0, 24)}`;
}
