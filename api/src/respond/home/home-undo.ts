import type { ActionNotes } from '../../actions/action-notes.ts';
import type { AnyAction } from '../../actions/action-store.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import { HomeError } from '../../engines/home-fault.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { ActionKind, ActionKinds } from '../core/household-actions.ts';
import type { Changed, HomeAction } from './home-records.ts';
import type { HomeReports, SayOutcome } from './home-reports.ts';
import { awaitStates, isTold, type Stand, type StatesClient } from './home-states.ts';

/** The service that restores each state. Only an explicit sentence unlocks a door. */
const services: Readonly<Record<string, string>> = {
  on: 'homeassistant.turn_on',
  off: 'homeassistant.turn_off',
  open: 'cover.open_cover',
  closed: 'cover.close_cover',
};
const intentOf: Readonly<Record<string, string>> = { on: 'on', off: 'off', open: 'open', closed: 'close' };

/** Domains with just an on/off state: switching back restores them fully. */
const switched = new Set(['light', 'switch', 'fan', 'input_boolean', 'humidifier', 'siren']);

/** The entities that a command changed, from the states before and after. */
function changedBy(before: Readonly<Record<string, string>>, stands: readonly Stand[]): Changed[] {
  return stands.flatMap(({ entity, state, standing }) => {
    const was = before[entity.id];
    if (was === undefined || standing === 'silent' || standing === 'unsure') return [];
    // An entity that has not changed yet may still change.
    return was === state && standing !== 'not_yet' ? [] : [{ ...entity, before: was }];
  });
}

/** Whether an entity's state before can be restored. */
function canBePutBack({ id, before }: Changed): boolean {
  const domain = domainOf(id);
  if (domain === 'cover') return before === 'open' || before === 'closed';
  if (domain === 'media_player') return before === 'off';
  return switched.has(domain) && (before === 'on' || before === 'off');
}

/** The visible effects of a command that was sent. */
export interface Seen {
  text: string;
  intent: string;
  /** Whether it was done, and the house confirms it. */
  ok: boolean;
  before: Readonly<Record<string, string>>;
  /** Null: the states could not be read. */
  stands: readonly Stand[] | null;
}

type SwitchAction = Extract<HomeAction, { changed: unknown }>;
type DoneOf<A extends HomeAction> = A extends HomeAction ? Omit<A, keyof AnyAction> : never;
/** The fields of an action besides its turn and time. */
type DoneAtHome = DoneOf<HomeAction>;

/** A command as an action that "undo that" can refer to. Null: it failed and changed nothing. */
export function actionOf(seen: Seen): DoneAtHome | null {
  const { text, intent, ok, before, stands } = seen;
  const said = { text, isUnsure: !ok };
  const final = { ...said, kind: 'home.command' } as const;
  if (stands === null) return final;
  const changed = changedBy(before, stands);
  if (changed.length > 0) {
    const back = intent === 'set' ? [] : changed.filter(canBePutBack);
    const left = changed.filter((each) => !back.includes(each));
    if (back.length === 0) return final;
    if (left.length === 0) return { ...said, kind: 'home.switch', changed };
    return { ...said, kind: 'home.partly', changed: back, left };
  }
  if (!ok && !stands.some(({ standing }) => standing === 'unsure')) return null;
  const isSame = stands.length > 0 && stands.every(({ entity }) => isTold(intent, entity.id));
  return isSame ? { ...said, kind: 'home.same' } : final;
}

interface UndoOptions {
  client: Pick<HomeClient, 'act'> & StatesClient;
  notes: ActionNotes<HomeAction>;
  reply: SayOutcome;
  reports: Pick<HomeReports, 'named'>;
}

/** Reports and undoes commands to the house. The home responder has its sentences. */
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

  const undoSwitch: ActionKind<SwitchAction>['undo'] = async (found, { turn, signal, beginActing }) => {
    await beginActing();
    if (!(await notes.mark(found, turn.conversation))) return null;
    const { action } = found;
    const things = reports.named(action.changed);
    try {
      if (await putBack(action.changed, signal))
        return action.kind === 'home.switch'
          ? reply('undid', { things }, turn)
          : reply('undid_part', { things, left: reports.named(action.left) }, turn);
    } catch (error) {
      if (!(error instanceof HomeError)) throw error;
    }
    await notes.unmark(found, turn.conversation);
    return reply('undo_failed', {}, turn);
  };

  return {
    'home.switch': { tell, undo: undoSwitch },
    'home.partly': { tell, undo: undoSwitch },
    // No visible change: there is nothing to undo, and the person does not mean the previous action.
    'home.same': { tell, undo: async () => null },
    'home.command': {
      tell,
      // The action stays recorded: the person does not mean the previous one.
      undo: async ({ action }, { turn }) => `${tell(action, turn)} ${reply('cannot_undo', {}, turn)}`,
    },
  };
}
