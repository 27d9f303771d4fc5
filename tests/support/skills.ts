import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { load } from 'js-yaml';
import { z } from 'zod';
import type { Audience } from '../../api/src/announcements/announcement.ts';
import type { Announced, Announcements } from '../../api/src/announcements/announcements.ts';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import type { Question, Responder } from '../../api/src/respond/core/responder.ts';
import type { Skill } from '../../api/src/respond/core/skill.ts';
import { createSkillResponder } from '../../api/src/respond/core/skill-responder.ts';
import { createHouseholdSkills } from '../../api/src/respond/skills/household-skills.ts';
import type { SunTimes } from '../../api/src/respond/skills/timers/sun-reader.ts';
import { effectivePipeline } from '../../api/src/settings/pipeline.ts';
import { createTimerStore } from '../../api/src/timers/timer-store.ts';
import { createSkillStores } from '../../api/src/wiring/household-stores.ts';

/** 15:20 on a Saturday, in London. */
export const now = Date.parse('2026-11-21T15:20:00Z');

const unheardIn = (rooms: Audience['rooms']): Announced => ({
  playing: [],
  waiting: [],
  failed: [],
  missing: [...(rooms ?? [])],
  isHere: false,
});

/** Announcements in a household without satellites. */
export const nobodyListens: Announcements = {
  isQuiet: () => false,
  rooms: async () => [],
  unheard: async ({ rooms }) => unheardIn(rooms),
  announce: async ({ rooms }) => unheardIn(rooms),
  lastOrigin: async () => null,
};

/** A household whose satellites leave before they are sent an announcement. */
export const leavingListeners: Announcements = { ...nobodyListens, unheard: async () => null };

interface Circumstances {
  sunTimes?: (signal: AbortSignal) => Promise<SunTimes | null>;
  announcements?: Announcements;
  steady?: () => number;
  /** The list for sentences that name none. */
  defaultList?: string;
}

/** All English skills, plus these. */
export function englishSkills(redis: Redis, more: readonly Skill[] = [], circumstances: Circumstances = {}) {
  return skillsOf('en', redis, more, circumstances);
}

/** All skills of a language, plus these. */
export function skillsOf(
  tag: string,
  redis: Redis,
  more: readonly Skill[] = [],
  { announcements = nobodyListens, steady = Date.now, defaultList, ...others }: Circumstances = {},
) {
  turnsSinceNow = 0; // one process runs many test files
  const language = loadLanguage({ folder: new URL(`../../api/languages/${tag}/`, import.meta.url) });
  const jobs = { add: async () => undefined, remove: async () => undefined };
  const timers = createTimerStore({ redis, jobs });
  const household = createHouseholdSkills({
    language,
    stores: createSkillStores({ redis, steady }),
    timeZone: 'Europe/London',
    version: '1.2.3',
    settings: keptSettings(defaultList),
    timers,
    announcements,
    steady,
    more,
    ...others,
  });
  const last = createSkillResponder({ ...household, skills: household.lastSkills });
  return { ...household, files: language.files, timers, responder: createSkillResponder(household), last };
}

/** Settings that are kept in memory. */
function keptSettings(defaultList?: string) {
  let values = effectivePipeline({}, { default_list: defaultList }).values;
  return {
    current: () => values,
    change: async ({ speed }: { speed?: number | null | undefined }) => {
      values = { ...values, speed: speed ?? 1 };
    },
  };
}

/** The circumstances of a turn. */
export type Asked = Partial<Question['turn']>;

let turns = 0;
/** Each turn is created one millisecond after the one before, but not too long after `now`. */
let turnsSinceNow = 0;

/** A question as the respond stage asks it. */
export function question(text: string, turn: Asked = {}, exchanges: readonly Exchange[] = []): Question {
  turns += 1;
  turnsSinceNow += 1;
  return {
    turn: {
      id: `turn-${turns}`,
      source: 'ask',
      text,
      isSure: true,
      conversation: 'kitchen',
      room: null,
      createdAt: now + turnsSinceNow,
      deadlineAt: now + 60_000,
      replyTo: 'api',
      streams: false,
      speaks: false,
      isTentative: false,
      revision: 0,
      ...turn,
    },
    message: text,
    settings: effectivePipeline({}, {}).values,
    exchanges,
    say: () => undefined,
    signal: new AbortController().signal,
    untilConfirmed: async () => undefined,
    beginActing: async () => undefined,
  };
}

/** The skills' answer to the only question of a new conversation; null if they pass it on. */
export async function answered(responder: Responder, text: string, turn: Asked = {}): Promise<string | null> {
  return (await responder.respond(question(text, turn)))?.text ?? null;
}

interface Spoken {
  /** The skill and its intent: "clock.time". */
  intent: string;
  text: string;
  /** The reply, if one is expected. */
  reply: string | undefined;
}

const groups = z.record(z.string(), z.array(z.string()));

function read(file: string): Record<string, string[]> {
  return groups.parse(load(readFileSync(new URL(`../sentences/${file}`, import.meta.url), 'utf8')));
}

/** Sentences for the skills, with the expected results. */
export const household: readonly Spoken[] = Object.entries(read('household.yaml')).flatMap(
  ([intent, lines]) =>
    lines.map((line) => {
      const [text = '', reply] = line.split(' => ');
      return { intent, text, reply };
    }),
);

const { remarks: toOthers = [], ...toSpeaker } = read('speaker.yaml');

/**
 * Sentences for the speaker that heard them, and sentences for other speakers. Without a speaker they are for
 * the house.
 */
export const speakerSentences = {
  own: Object.entries(toSpeaker).flatMap(([intent, texts]) => texts.map((text) => ({ intent, text }))),
  others: toOthers,
};

/** Sentences that do not concern the skills. */
export const remarks: readonly string[] = Object.values(read('remarks.yaml')).flat();
