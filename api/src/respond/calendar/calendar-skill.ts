import type { ActionNotes } from '../../actions/action-notes.ts';
import { HomeError, recovering } from '../../engines/home-fault.ts';
import type { ActionKind } from '../core/household-actions.ts';
import type { Ask, Skill } from '../core/skill.ts';
import type { CalendarAction, StoredCalendar, StoredEntry } from './calendar-records.ts';
import type { SayCalendar } from './calendar-shape.ts';
import { type CalendarChange, type CalendarWriter, seenIn } from './calendar-writer.ts';
import { foreign } from './foreign-words.ts';

interface CalendarSkillOptions {
  client: CalendarWriter;
  say: SayCalendar;
  notes: ActionNotes<CalendarAction>;
  unreachable: (ask: Ask) => string;
  onFailure: (error: HomeError) => void;
}

/** Records a calendar change for undo. */
export const createCalendarNote =
  (notes: ActionNotes<CalendarAction>) =>
  (change: CalendarChange, { turn: { id, createdAt, conversation } }: Ask): Promise<void> =>
    notes.note({ kind: 'calendar.change', ...change, turn: id, at: createdAt }, conversation);

/** Reports and undoes calendar changes, and deletes an entry after a yes. Other parts read its sentences. */
export function createCalendarSkill(options: CalendarSkillOptions): Skill {
  const { client, say, notes, unreachable, onFailure } = options;
  const note = createCalendarNote(notes);

  const honest = (ask: Ask, work: () => Promise<string>): Promise<string> =>
    recovering(work, (fault) => {
      onFailure(fault);
      return unreachable(ask);
    });

  const remove = async (calendar: StoredCalendar, entry: StoredEntry, ask: Ask): Promise<string> => {
    const there = await seenIn(client, calendar, entry, ask.signal);
    if (there?.uid) {
      await ask.beginActing();
      await client.removeEntry(calendar.id, there.uid, ask.signal);
      if (await seenIn(client, calendar, entry, ask.signal)) return say('still_there', {}, ask.turn);
      await note({ calendar, before: entry, after: null }, ask);
    }
    return say('removed', { calendar: calendar.name }, ask.turn);
  };

  /** Restores the calendar. False: the read-back does not confirm it. */
  const putBack = async ({ calendar, before, after }: CalendarChange, { signal }: Ask): Promise<boolean> => {
    const there = after && (await seenIn(client, calendar, after, signal));
    if (after === null && before) await client.addEntry(calendar.id, before, signal);
    else if (there?.uid && before) await client.changeEntry(calendar.id, there.uid, before, signal);
    else if (there?.uid) await client.removeEntry(calendar.id, there.uid, signal);
    const now = after && (await seenIn(client, calendar, after, signal));
    const left = now !== null && now.uid === there?.uid;
    const back = before === null || (await seenIn(client, calendar, before, signal)) !== null;
    return back && !left;
  };

  const kind: ActionKind<CalendarAction> = {
    tell({ calendar: { name: calendar }, before, after }, turn) {
      if (before === null) return say('did_add', { event: foreign(after?.summary ?? ''), calendar }, turn);
      return say(after === null ? 'did_remove' : 'did_change', { calendar }, turn);
    },
    async undo(found, ask) {
      const { action } = found;
      const { conversation } = ask.turn;
      await ask.beginActing();
      if (!(await notes.mark(found, conversation))) return null;
      return honest(ask, async () => {
        const values = { calendar: action.calendar.name };
        try {
          if (await putBack(action, ask)) return say(undoneAs(action), values, ask.turn);
        } catch (error) {
          await notes.unmark(found, conversation);
          if (!(error instanceof HomeError) || error.failure !== 'broken') throw error;
          onFailure(error);
          return say('cannot_undo', values, ask.turn);
        }
        await notes.unmark(found, conversation);
        return say('cannot_undo', values, ask.turn);
      });
    },
  };

  return {
    name: 'calendar',
    sentences: {},
    intents: {},
    actions: { 'calendar.change': kind },
    onYes: {
      'calendar.remove': ({ calendar, entry }, ask) => honest(ask, () => remove(calendar, entry, ask)),
    },
  };
}

function undoneAs({ before, after }: CalendarChange) {
  if (before === null) return 'undone_add';
  return after === null ? 'undone_remove' : 'undone_change';
}
