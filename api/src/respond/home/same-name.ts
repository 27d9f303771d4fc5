import type { LastCommand } from '../../actions/last-command.ts';
import { fill, joined } from '../../language/phrase.ts';
import type { SayHome } from './home-reports.ts';
import { type HomeAsk, type HomeResult, no } from './home-result.ts';
import type { House } from './house.ts';
import type { HomeWords } from './understand/home-words.ts';
import type { HouseSentence } from './understand/understood.ts';

/** Listeners cannot remember more names. */
const maxRooms = 5;

interface SameNameOptions {
  house: Pick<House, 'roomsOf'>;
  words: Pick<HomeWords, 'in_area' | 'between' | 'last'>;
  reply: SayHome;
  last: Pick<LastCommand, 'note'>;
}

/** Asks which of several entities with the same name the person means. Null: at most one matches. */
export type AskWhichRoom = (
  said: Pick<HouseSentence, 'target' | 'bare' | 'text' | 'isNamed'>,
  ask: Pick<HomeAsk, 'turn'>,
) => Promise<HomeResult | null>;

/**
 * Home Assistant does nothing to entities that share a name, and gives no reason. The question tells them
 * apart by room.
 */
export function createSameNameQuestion({ house, words, reply, last }: SameNameOptions): AskWhichRoom {
  return async ({ target, bare, text, isNamed }, { turn }) => {
    const held = isNamed && bare !== '' ? house.roomsOf(bare) : [];
    if (held.length < 2) return null;
    const rooms = [...new Set(held.flatMap((room) => room ?? []))];
    if (rooms.length < 2) return no(reply('same_name', { bare }, turn));
    // The answer is a room; it works like "and the bedroom".
    const elsewhere = text.replace(target, () => fill(words.in_area, { target, area: '{area}' }));
    await last.note(turn.conversation, { target, elsewhere });
    if (rooms.length > maxRooms) return no(reply('which_room', {}, turn));
    return no(reply('which_place', { bare, rooms: joined(rooms, words) }, turn));
  };
}
