import { createHash } from 'node:crypto';
import type { HomeSentence } from '../../engines/home-client.ts';
import { fill } from '../phrase.ts';
import type { AskedTurn } from '../responder.ts';
import type { HomeWords } from './home-words.ts';
import type { House } from './house.ts';
import type { Understood } from './understood.ts';

interface SentenceOptions {
  house: Pick<House, 'areaOf'>;
  words: Pick<HomeWords, 'in_room'>;
}

export type SentenceFor = ReturnType<typeof createSentenceFor>;

/** What Home Assistant is told: the sentence, where the speaker is, and whose earlier sentences it may refer to. */
export function createSentenceFor({ house, words }: SentenceOptions) {
  const withRoom = (text: string, { room }: AskedTurn, isPlaced: boolean): string => {
    const area = house.areaOf(room);
    return area && !isPlaced ? fill(words.in_room, { text, room: area.name }) : text;
  };

  const sentenceFor = (
    { text, isPlaced, isReference }: Pick<Understood, 'text' | 'isPlaced' | 'isReference'>,
    { turn, signal }: { turn: AskedTurn; signal: AbortSignal },
  ): HomeSentence => {
    const area = house.areaOf(turn.room);
    const textWithRoom = withRoom(text, turn, isPlaced || isReference);
    return {
      // A room without a thing in it has nothing that could stand for the speaker.
      text: area && !area.satellite ? textWithRoom : text,
      textWithRoom,
      satellite: area?.satellite ?? null,
      conversation: conversationOf(turn),
      signal,
    };
  };
  return Object.assign(sentenceFor, {
    withRoom,
    /** What Home Assistant calls the room; null: none of its own. */
    roomOf: ({ room }: AskedTurn) => house.areaOf(room)?.name ?? null,
  });
}

/** Home Assistant keeps any name for a conversation; ours says nothing of the people in it. */
function conversationOf({ conversation }: AskedTurn): string | null {
  if (conversation === null) return null;
  return `hearth-${createHash('sha256').update(conversation).digest('hex').slice(0, 24)}`;
}
