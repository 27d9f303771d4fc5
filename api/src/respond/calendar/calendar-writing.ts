import type { Word } from '../../language/grammar/words.ts';
import type { Ask } from '../core/skill.ts';
import { type CalendarAddingOptions, createCalendarAdding } from './calendar-adding.ts';
import { type CalendarMovingOptions, createCalendarMoving } from './calendar-moving.ts';
import type { SaidEntry } from './calendar-request.ts';
import type { CalendarAnswer } from './calendar-shape.ts';
import { plainly } from './calendar-writer.ts';

type WritingOptions = CalendarAddingOptions & CalendarMovingOptions;

/**
 * Changes the calendars of a house. It acts only on a fully understood sentence; otherwise it asks back. It
 * reports a change only after reading it back.
 */
export function createCalendarWriting(options: WritingOptions) {
  const { client, say, requests, find, telling } = options;
  const adding = createCalendarAdding(options);
  const moving = createCalendarMoving(options);

  const whenFound = async (entry: SaidEntry, ask: Ask): Promise<CalendarAnswer | null> => {
    const { turn, signal } = ask;
    const search = { isNext: false, isExact: true, now: turn.createdAt, signal };
    const [found] = await find(entry, await client.knownCalendars(signal), search);
    return found ? telling.at(found.entry, ask) : null;
  };

  return {
    /** Null: the sentence changes nothing. */
    async change(said: readonly Word[], ask: Ask): Promise<CalendarAnswer | null> {
      const request = requests.read(said, ask.turn.text);
      if (request === null) return null;
      if (typeof request === 'string') return plainly(say(request, {}, ask.turn));
      if (request.verb === 'remove') return await moving.remove(ask, request);
      if (request.verb === 'move') return await moving.move(ask, request);
      return await adding.add(request.entry, ask);
    },
    /** Tells when a named entry takes place. Null: no name. */
    async whenIs(said: readonly Word[], ask: Ask): Promise<CalendarAnswer | null> {
      const entry = requests.nameAsked(said, ask.turn.text);
      if (!entry) return null;
      return (await whenFound(entry, ask)) ?? plainly(say('not_named', { name: entry.title }, ask.turn));
    },
    /** The same, if there is such an entry. */
    async whenKnown(said: readonly Word[], ask: Ask): Promise<string | null> {
      const entry = requests.nameAsked(said, ask.turn.text);
      return (entry && (await whenFound(entry, ask)))?.text ?? null;
    },
    answer: adding.answer,
    /** The answer to calendar questions about rooms: calendars do not list them. */
    ofRooms: (said: readonly Word[], { turn }: Ask): CalendarAnswer | null =>
      requests.isOfRooms(said) ? plainly(say('rooms', {}, turn)) : null,
    unclear: ({ turn }: Ask): CalendarAnswer => plainly(say('unclear', {}, turn)),
  };
}
