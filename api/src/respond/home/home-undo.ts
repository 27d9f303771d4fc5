import type { ActionNotes } from '../../actions/action-notes.ts';
import type { Action } from '../../actions/action-store.ts';
import type { Entity } from '../../engines/home-answer.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import { HomeError } from '../../engines/home-fault.ts';
import type { ActionKind, Skill } from '../skills/skill.ts';
import type { HomeReports, SayHome } from './home-reports.ts';
import { awaitStates, type Stand } from './home-states.ts';

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

/** A thing that a command has changed, and how it was before. */
export interface Changed extends Entity {
  before: string;
}

/** What a command has changed, by the states before and after it. */
export function changedBy(before: Readonly<Record<string, string>>, stands: readonly Stand[]): Changed[] {
  return stands.flatMap(({ entity, state, standing }) => {
    const was = before[entity.id];
    const isSame = was === undefined || was === state || standing === 'silent' || standing === 'unsure';
    return isSame ? [] : [{ ...entity, before: was }];
  });
}

/** Whether all of it can be put back as it was. */
export function canBePutBack(changed: readonly Changed[]): boolean {
  return changed.every(({ id, before }) => {
    const domain = id.split('.')[0] ?? '';
    if (domain === 'cover') return before === 'open' || before === 'closed';
    return switched.has(domain) && (before === 'on' || before === 'off');
  });
}

const separator = '\t';

/** What changed, as an action keeps it. */
export const valuesOf = (changed: readonly Changed[]): string[] =>
  changed.map(({ id, before, name }) => [id, before, name].join(separator));

function changedIn({ values }: Action): Changed[] {
  return values.map((value) => {
    const [id = '', before = '', name = ''] = value.split(separator);
    return { id, before, name };
  });
}

interface UndoOptions {
  client: Pick<HomeClient, 'act' | 'state'>;
  notes: ActionNotes;
  reply: SayHome;
  reports: HomeReports;
}

/** Tells what was done in the house and takes it back. No sentences of its own: those are the home responder's. */
export function createHomeActions({
  client,
  notes,
  reply,
  reports,
}: UndoOptions): NonNullable<Skill['actions']> {
  const tell: ActionKind['tell'] = ({ about }, turn) => reply('did', { text: about['text'] ?? '' }, turn);

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
    return stands.flat().every(({ standing }) => standing === 'there' || standing === 'on its way');
  };

  return {
    'home.switch': {
      tell,
      async undo(found, { turn, signal, certain }) {
        await certain();
        if (!(await notes.mark(found, turn.conversation))) return null;
        const changed = changedIn(found.action);
        try {
          if (await putBack(changed, signal)) return reply('undid', { things: reports.named(changed) }, turn);
        } catch (error) {
          if (!(error instanceof HomeError)) throw error;
        }
        return reply('undo_failed', {}, turn);
      },
    },
    'home.command': {
      tell,
      // It stays: what stands before it is not what is meant.
      undo: async (_found, { turn }) => reply('cannot_undo', {}, turn),
    },
  };
}
