import type { LanguageFiles } from '../../language/language.ts';
import { type HouseholdActions, takeBack, tellOf } from '../household-actions.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from './skill.ts';
import { loadSkill, noWords } from './skill-language.ts';

const shape = {
  replies: { nothing: [], did_nothing: [], taken_back: ['what'] },
  words: noWords,
} as const;

interface UndoOptions {
  files: LanguageFiles;
  actions: HouseholdActions;
  /** The skills whose actions can be taken back. */
  skills: readonly Skill[];
}

/** Takes back the last action or tells of it, from the record that every action leaves. */
export function createUndoSkill({ files, actions, skills }: UndoOptions): Skill {
  const { reply, ...language } = loadSkill(files, 'undo', shape);
  const { tells } = intentsOf();

  const undo = async (ask: Ask) => {
    const { turn } = ask;
    for (const found of await actions.latest(turn)) {
      // Done already by this very turn, when its job runs twice.
      const isOwn = found.action.undoneBy === turn.id;
      if (found.action.undoneBy !== undefined && !isOwn) continue;
      return (await takeBack(skills, found, ask)) ?? reply('nothing', {}, turn);
    }
    return reply('nothing', {}, turn);
  };

  const last = async ({ turn }: Ask) => {
    const found = await actions.latest(turn);
    const newest = found
      .map(({ action }) => action)
      .toSorted((one, other) => touchedAt(other) - touchedAt(one))[0];
    const told = newest && tellOf(skills, newest, turn);
    if (!newest || told === undefined) return reply('did_nothing', {}, turn);
    return newest.undoneAt === undefined ? told : reply('taken_back', { what: told }, turn);
  };

  return defineSkill({
    name: 'undo',
    ...language,
    slots: {},
    intents: { undo: { effect: 'final', answer: undo }, last: tells(last) },
  });
}

function touchedAt({ at, undoneAt }: { at: number; undoneAt?: number | undefined }): number {
  return undoneAt ?? at;
}
