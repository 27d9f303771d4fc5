import type { ActionNotes } from '../../actions/action-notes.ts';
import type { AnyAction } from '../../actions/action-store.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import { HomeError } from '../../engines/home-fault.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { ActionKind, ActionKinds } from '../household-actions.ts';
import type { Changed, HomeAction } from './home-records.ts';
import type { HomeReports, SayHome } from './home-reports.ts';
import { awaitStates, isTold, type Stand } from './home-states.ts';

/** How a state comes back. Nothing unlocks a door but a sentence that says so. */
const services: Readonly<Record<string, string>> = {
  on: 'homeassistant.turn_on',
  off: 'homeassistant.turn_off',
  open: 'cover.open_cover',
  closed: 'cover.close_cover',
};
const intentOf: Readonly<Record<string, string>> = { on: 'on', off: 'off', open: 'open', closed: 'close' };

/** Things that are on or off, and nothing else: to turn them back is to have them as before. */
const switched = new Set(['light', 'switch', 'fan', 'input_boolean', 'humidifier', 'siren']);

/** The things that a command changed, by their states before and after it. */
function changedBy(before: Readonly<Record<string, string>>, stands: readonly Stand[]): Changed[] {
  return stands.flatMap(({ entity, state, standing }) => {
    const was = before[entity.id];
    if (was === undefined || standing === 'silent' || standing === 'unsure') return [];
    // A thing that has not changed yet may still do so.
    return was === state && standing !== 'not_yet' ? [] : [{ ...entity, before: was }];
  });
}

/** Whether all of it can be put back as it was. */
function canBePutBack(changed: readonly Changed[]): boolean {
  return changed.every(({ id, before }) => {
    const domain = domainOf(id);
    if (domain === 'cover') return before === 'open' || before === 'closed';
    return switched.has(domain) && (before === 'on' || before === 'off');
  });
}

/** The visible effects of a command that was passed on. */
export interface Seen {
  text: string;
  intent: string;
  /** Whether it was done, and the house says so too. */
  ok: boolean;
  before: Readonly<Record<string, string>>;
  /** Null: the states could not be read. */
  stands: readonly Stand[] | null;
}

type DoneOf<A extends HomeAction> = A extends HomeAction ? Omit<A, keyof AnyAction> : never;
/** The parts of an action besides its turn and time. */
export type DoneAtHome = DoneOf<HomeAction>;

/** A command as an action, which "undo that" then means. Null: it failed and changed nothing. */
export function actionOf(seen: Seen): DoneAtHome | null {
  const { text, intent, ok, before, stands } = seen;
  const said = { text, isUnsure: !ok };
  const final = { ...said, kind: 'home.command' } as const;
  if (stands === null) return final;
  const changed = changedBy(before, stands);
  if (changed.length > 0)
    return intent !== 'set' && canBePutBack(changed) ? { ...said, kind: 'home.switch', changed } : final;
  if (!ok && !stands.some(({ standing }) => standing === 'unsure')) return null;
  const isSame = stands.length > 0 && stands.every(({ entity }) => isTold(intent, entity.id));
  return isSame ? { ...said, kind: 'home.same' } : final;
}

interface UndoOptions {
  client: Pick<HomeClient, 'act' | 'state' | 'states' | 'changed'>;
  notes: ActionNotes<HomeAction>;
  reply: SayHome;
  reports: HomeReports;
}

/** Tells what was done in the house and takes it back. No sentences of its own: those are the home responder's. */
export function createHomeActions({ client, notes, reply, reports }: UndoOptions): ActionKinds {
  const tell: ActionKind<HomeAction>['tell'] = ({ text, isUnsure }, turn) =>
    isUnsure ? reply('unsure', {}, turn) : reply('did', { text }, turn);

  const putBack = async (changed: readonly Changed[], signal: AbortSignal): Promise<boolean> => {
    const states = [...new Set(changed.map(({ before }) => before))];
    const stands = await Promise.all(
      states.map(async (before) => {
        const entities = changed.filter((each) => each.before === before);
        const ids = entities.map(({ id }) => id);
        await client.act(services[before] ?? '', ids, signal);
        return await awaitStates(client, { intent: intentOf[before] ?? '', entities, signal });
      }),
    );
    return stands.flat().every(({ standing }) => standing === 'there' || standing === 'on_its_way');
  };

  return {
    'home.switch': {
      tell,
      async undo(found, { turn, signal, certain }) {
        await certain();
        if (!(await notes.mark(found, turn.conversation))) return null;
        const { changed } = found.action;
        try {
          if (await putBack(changed, signal)) return reply('undid', { things: reports.named(changed) }, turn);
        } catch (error) {
          if (!(error instanceof HomeError)) throw error;
        }
        await notes.unmark(found, turn.conversation);
        return reply('undo_failed', {}, turn);
      },
    },
    // Nobody has seen a change: there is nothing to take back, and the person does not mean the action before it.
    'home.same': { tell, undo: async () => null },
    'home.command': {
      tell,
      // It stays: the person does not mean the action before it.
      undo: async (_found, { turn }) => reply('cannot_undo', {}, turn),
    },
  };
}
