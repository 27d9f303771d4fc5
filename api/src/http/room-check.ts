import { AppError } from '../errors.ts';
import { wordsOf } from '../listen/utterance/words.ts';

const same = (name: string) => wordsOf(name).join(' ');

/** The first of these names that is one of the others, apart from case and punctuation. */
export function sharedName(names: readonly string[], others: readonly string[]): string | undefined {
  const taken = new Set(others.map(same));
  return names.find((name) => taken.has(same(name)));
}

/** Refuses a room that is called like the assistant. Throws AppError. */
export type RoomCheck = (room: string | null | undefined) => void;

export function createRoomCheck(assistantNames: () => readonly string[], param = 'room'): RoomCheck {
  return (room) => {
    if (!room || sharedName([room], assistantNames()) === undefined) return;
    throw new AppError('invalid_request', `"${room}" is the assistant's name. Choose another one.`, {
      param,
    });
  };
}
