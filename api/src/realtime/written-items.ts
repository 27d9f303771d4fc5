import { randomUUID } from 'node:crypto';
import { assertFewPictures, type PictureSupport } from '../turn/shown-pictures.ts';
import { type ItemParams, maxWrittenCharacters } from './client-events.ts';
import { turnOfAnswer } from './open-response.ts';
import { refused } from './refusals.ts';
import { isAnswer, together, type UserInput, writtenOf } from './response-params.ts';
import type { RealtimeEvents } from './server-events.ts';

/** Maximum items that wait for an answer. */
const maxWritten = 100;

export type WrittenItems = ReturnType<typeof createWrittenItems>;

/** The items that a client creates, and those among them that wait for an answer. */
export function createWrittenItems(events: Pick<RealtimeEvents, 'items' | 'send'>, sight: PictureSupport) {
  /** Text items since the last answer. */
  let written: (UserInput & { id: string })[] = [];

  const note = (id: string, more: UserInput): void => {
    const { text, pictures } = together([...written, more]);
    if (written.length >= maxWritten || text.length > maxWrittenCharacters)
      throw refused(
        'The unanswered items are too many or too long. Send "response.create" first.',
        'item.content',
      );
    assertFewPictures(pictures, 'item.content');
    written.push({ id, ...more });
  };
  const create = (params: ItemParams, previousId: string | null): void => {
    const { id = null, type, role, content, ...others } = params;
    const item = {
      ...others,
      id: id ?? `item_${randomUUID()}`,
      object: 'realtime.item',
      type,
      status: 'completed',
      ...(role && { role }),
      content: content ?? [],
    };
    if (previousId !== null && previousId !== 'root' && events.items.get(previousId) === undefined)
      throw refused(
        `The previous item "${previousId.slice(0, 100)}" does not exist or is no longer stored.`,
        'previous_item_id',
      );
    if (role === 'user') note(item.id, writtenOf(params, 'item.content', { sees: sight.sees() }));
    events.items.addWhole(item);
    if (isAnswer(params)) written = written.filter(({ id: each }) => isOpenAfter(each, previousId));
  };
  /** Whether an item still waits after an answer was inserted after `previousId`. Null: at the end. */
  const isOpenAfter = (id: string, previousId: string | null): boolean =>
    previousId !== null && id !== previousId && !events.items.isBehind(previousId, id);

  /** Removes only text items: Hearth stores speech and answers itself. */
  const remove = (itemId: string): void => {
    const item = events.items.get(itemId);
    if (item === undefined)
      throw refused(
        'The item does not exist or is no longer stored.',
        'item_id',
        'item_delete_invalid_item_id',
      );
    const wasSaid = item['role'] === 'user' || turnOfAnswer(itemId) !== null;
    if (wasSaid && !written.some(({ id }) => id === itemId))
      throw refused('Answers, and items that were spoken or answered, cannot be deleted.', 'item_id');
    written = written.filter(({ id }) => id !== itemId);
    events.items.drop(itemId);
  };

  const retrieve = (itemId: string): void => {
    const item = events.items.get(itemId);
    if (item === undefined)
      throw refused(
        'The item does not exist or is no longer stored.',
        'item_id',
        'item_retrieve_invalid_item_id',
      );
    events.send('conversation.item.retrieved', { item });
  };

  const takeAll = (): UserInput => {
    const all = together(written);
    written = [];
    return all;
  };

  return {
    create,
    remove,
    retrieve,
    /** Returns everything that waits for an answer, and forgets it. */
    takeAll,
  };
}
