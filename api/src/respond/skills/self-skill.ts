import { z } from 'zod';
import type { ActionNotes } from '../../actions/action-notes.ts';
import { actionSchema } from '../../actions/action-store.ts';
import { type LanguageFiles, rulesOf } from '../../language/language.ts';
import type { Pipeline } from '../../settings/pipeline.ts';
import type { Patch, Settings } from '../../settings/settings.ts';
import type { ByKind } from '../core/household-actions.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill, noWords } from '../core/skill-language.ts';
import { createDateWords, loadClock } from './clock/clock-language.ts';

const shape = {
  replies: {
    name: ['name'],
    version: ['version'],
    phone: [],
    satellite: [],
    home_assistant: [],
    voice: [],
    rename: [],
    privacy: [],
    listening: [],
    emergency: [],
    languages: [],
    slower: [],
    slowest: [],
    faster: [],
    fastest: [],
    usual: [],
    did_speed: [],
    undid_speed: [],
    quiet_hours: ['from', 'to'],
    no_quiet_hours: [],
  },
  words: noWords,
} as const;

/** Intents that always get the same reply. */
const explained = [
  ...['phone', 'satellite', 'home_assistant', 'voice', 'rename'],
  ...['privacy', 'listening', 'emergency', 'languages'],
] as const;

type Explained = (typeof explained)[number];

/** How much "slower" and "faster" change the speed of the voice, and its limits in the settings. */
const speeds = { step: 0.15, min: 0.5, usual: 1, max: 2 } as const;

/** A changed speed of the voice. */
export const speedActionSchema = actionSchema.extend({
  kind: z.literal('speed.change'),
  before: z.number(),
  after: z.number(),
});

type SpeedAction = z.infer<typeof speedActionSchema>;

/** Facts about the assistant. */
export interface SelfFacts {
  version: string;
  settings: Pick<Settings, 'current'> & {
    change: (patch: Patch, expected: null) => Promise<unknown>;
  };
}

interface SelfSkillOptions extends SelfFacts {
  files: LanguageFiles;
  notes: ActionNotes<SpeedAction>;
}

/** Answers questions about the assistant itself, and changes how fast it speaks. */
export function createSelfSkill({ files, version, settings, notes }: SelfSkillOptions): Skill {
  const { reply, ...language } = loadSkill(files, 'self', shape);
  const dates = createDateWords(loadClock(files).words, rulesOf(files));
  const { does, tells } = intentsOf();

  const explain = (key: Explained) => tells(({ turn }) => reply(key, {}, turn));

  const setSpeed = async ({ turn, beginActing }: Ask, after: number): Promise<void> => {
    const { speed: before } = settings.current();
    await beginActing();
    await settings.change({ speed: after }, null);
    const action = { kind: 'speed.change', before, after } as const;
    await notes.note({ turn: turn.id, at: turn.createdAt, ...action }, turn.conversation);
  };
  const move = (direction: 'slower' | 'faster') =>
    does(async (ask) => {
      const { speed } = settings.current();
      const after = movedSpeed(speed, direction);
      if (after === speed) return reply(direction === 'slower' ? 'slowest' : 'fastest', {}, ask.turn);
      await setSpeed(ask, after);
      return reply(direction, {}, ask.turn);
    });

  const tellQuietHours = ({ turn }: Ask): string => {
    const { quiet_from: from, quiet_to: to } = settings.current();
    if (from === null || to === null) return reply('no_quiet_hours', {}, turn);
    return reply('quiet_hours', { from: timeWords(from), to: timeWords(to) }, turn);
  };
  /** "10 PM" for "22:00". */
  const timeWords = (time: string): string => {
    const [hour = 0, minute = 0] = time.split(':').map(Number);
    return dates.time({ ...anyDay, hour, minute });
  };

  return defineSkill({
    name: 'self',
    ...language,
    slots: {},
    intents: {
      ...Object.fromEntries(explained.map((key) => [key, explain(key)])),
      name: tells(({ turn }) => reply('name', { name: nameIn(settings.current()) }, turn)),
      version: tells(({ turn }) => reply('version', { version }, turn)),
      slower: move('slower'),
      faster: move('faster'),
      usual: does(async (ask) => {
        await setSpeed(ask, speeds.usual);
        return reply('usual', {}, ask.turn);
      }),
      quiet_hours: tells(tellQuietHours),
    },
    actions: {
      'speed.change': {
        tell: (_action, turn) => reply('did_speed', {}, turn),
        async undo(found, { turn, beginActing }) {
          await beginActing();
          if (!(await notes.mark(found, turn.conversation))) return null;
          await settings.change({ speed: found.action.before }, null);
          return reply('undid_speed', {}, turn);
        },
      },
    },
  });
}

const anyDay = { year: 2026, month: 1, day: 1 } as const;

function nameIn({ names }: Pick<Pipeline, 'names'>): string {
  return names[0] ?? 'Hearth';
}

/** One step slower or faster, to two decimals and within the limits. */
function movedSpeed(speed: number, direction: 'slower' | 'faster'): number {
  const moved = speed + (direction === 'slower' ? -speeds.step : speeds.step);
  return Math.min(speeds.max, Math.max(speeds.min, Math.round(moved * 100) / 100));
}

declare module '../core/household-actions.ts' {
  interface ActionsByKind extends ByKind<SpeedAction> {}
}
