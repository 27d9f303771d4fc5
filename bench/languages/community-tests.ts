import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { z } from 'zod';
import { loadCommunityLanguage } from '../../api/src/language/community/community-language.ts';
import { createGrammar } from '../../api/src/language/grammar/grammar.ts';
import {
  type BoundIntents,
  type CommunitySaid,
  createCommunitySkill,
} from '../../api/src/respond/community/community-skill.ts';
import { anyName, createCommunitySlots } from '../../api/src/respond/community/community-slots.ts';
import { timersMeantBy } from '../../api/src/respond/community/community-timers.ts';
import { intentsOf } from '../../api/src/respond/core/skill.ts';
import { createSkillResponder } from '../../api/src/respond/core/skill-responder.ts';
import { timerSchema } from '../../api/src/timers/timer.ts';
import { communityFolder, communityTags } from '../../scripts/community-docs.ts';
import { heldBytes } from '../../tests/support/memory.ts';
import { question, skillsOf } from '../../tests/support/skills.ts';
import { roundTo, summary, table } from '../measure.ts';
import type { Findings, Part } from '../part.ts';
import { readYaml } from './language-sentences.ts';

/** The folder `tests` of the repository OHF-Voice/intents. */
const { LANGUAGES_TESTS: folder = '', LANGUAGES: chosen } = process.env;
const isChosen = (tag: string) => chosen === undefined || chosen.split(',').includes(tag);
const languages = new URL('../../api/languages/', import.meta.url);
const completeTags = ['en', 'de', 'es', 'fr', 'it', 'nl'];
/** The skills of a complete language that may take an intent of the community. */
const skillOf = {
  HassStartTimer: 'timers',
  HassCancelTimer: 'timers',
  HassCancelAllTimers: 'timers',
  HassIncreaseTimer: 'timers',
  HassDecreaseTimer: 'timers',
  HassPauseTimer: 'timers',
  HassUnpauseTimer: 'timers',
  HassTimerStatus: 'timers',
  HassShoppingListAddItem: 'lists',
  HassShoppingListCompleteItem: 'lists',
  HassListAddItem: 'lists',
  HassListCompleteItem: 'lists',
  HassListRemoveItem: 'lists',
  HassGetCurrentTime: 'clock',
  HassGetCurrentDate: 'clock',
  HassNevermind: 'talk',
  HassBroadcast: 'announce',
} as const;
const intents = Object.keys(skillOf);
const goals = { understood: 0.97, medianMs: 2, p99Ms: 10, moreStartMs: 1_000, moreMb: 60 };

const slotsSchema = z.record(z.string(), z.unknown());
const testsSchema = z.object({
  tests: z.array(z.object({ sentences: z.array(z.string()), slots: slotsSchema.optional() })),
});

const number = z.number().nullable().default(null);
const words = z.string().nullable().default(null);
const saidSchema = z.object({
  ...{ hours: number, minutes: number, seconds: number },
  ...{ start_hours: number, start_minutes: number, start_seconds: number },
  ...{ name: words, area: words, item: words, message: words },
});
const aTimer = timerSchema.parse({
  id: 'a-timer',
  kind: 'timer',
  label: null,
  room: null,
  client: null,
  setAt: 0,
  dueAt: 60_000,
  durationMs: 60_000,
  state: 'running',
  revision: 1,
  ringingAt: null,
  heardAt: null,
});

interface CommunityTest {
  text: string;
  intent: string;
  slots: Record<string, unknown>;
}

interface Understanding {
  tag: string;
  tests: number;
  /** Understood as the right intent; in a language of the community with the right slots. */
  right: number;
  /** Time to match one sentence. */
  matchMs: number[];
  wrong: string[];
}

/** How much of the community's test sentences Hearth understands by itself, in each language. */
export const communityTestsPart: Part = {
  name: 'community-tests',
  async run() {
    if (!existsSync(folder)) {
      return {
        text: "The community's test sentences: skipped, LANGUAGES_TESTS names no folder",
        figures: null,
        missed: [],
      };
    }
    const redis = new Redis({ lazyConnect: true });
    const startup = costOfLanguages(redis);
    const found: Understanding[] = [];
    for (const tag of completeTags.filter(isChosen)) found.push(await judge(tag, completeReader(tag, redis)));
    for (const tag of communityTags.filter(isChosen)) found.push(await judge(tag, communityReader(tag)));
    redis.disconnect();
    return report(found, startup);
  },
};

type Reader = (test: CommunityTest) => Promise<{ isRight: boolean; read: string; ms: number }>;

/** The skills of a complete language: the right skill counts, because its intents have other names. */
function completeReader(tag: string, redis: Redis): Reader {
  const { responder, last } = skillsOf(tag, redis);
  return async ({ text, intent }) => {
    const fromMs = performance.now();
    const found = responder.understood(text) ?? last.understood(text);
    const ms = performance.now() - fromMs;
    const wanted = z.string().parse(Reflect.get(skillOf, intent));
    return { isRight: found?.skill === wanted, read: found ? `${found.skill}.${found.intent}` : '-', ms };
  };
}

/** The skills of a language of the community, which give back their intent and slots. */
function communityReader(tag: string): Reader {
  const { community, grammar: words } = loadCommunityLanguage({
    tag,
    own: new URL('community.yaml', languages).pathname,
    folder: communityFolder(),
    files: { folder: new URL(`${tag}/`, languages) },
  });
  if (!community) throw new Error(`${tag} is a complete language`);
  const { data } = community;
  const { unbound } = community.words.own;
  const grammar = createGrammar(words);
  const { tells } = intentsOf<CommunitySaid>();
  const told = (intent: string) => () =>
    tells((_ask, said) => JSON.stringify({ intent, slots: withoutEmpty(said) }));
  const bound: BoundIntents = Object.fromEntries(intents.map((intent) => [intent, told(intent)]));
  const types = { lists: { name: anyName }, timers: { area: anyName } };
  const slots = createCommunitySlots(data, grammar);
  const skills = ['talk', 'clock', 'lists', 'timers', 'announce'].map((name) =>
    createCommunitySkill({
      name,
      data,
      slots,
      bound: Object.fromEntries(
        Object.entries(bound).filter(([intent]) => Reflect.get(skillOf, intent) === name),
      ),
      slotTypes: name === 'lists' || name === 'timers' ? types[name] : {},
      unbound,
    }),
  );
  const responder = createSkillResponder({ skills, grammar });
  return async ({ text, intent, slots: wanted }) => {
    const fromMs = performance.now();
    responder.understood(text);
    const ms = performance.now() - fromMs;
    const read = (await responder.respond(question(text)))?.text ?? '-';
    return { isRight: isSame(read, { text, intent, slots: wanted }), read, ms };
  };
}

/** Slots with a value. */
function withoutEmpty(said: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
}

/** Slots of a test that name a timer or its room. */
const places = ['name', 'area'];

/** Case and marks of free text do not count. A test may list several texts for a slot. */
function isSame(read: string, wanted: CommunityTest): boolean {
  if (read === '-') return false;
  const found = z.object({ intent: z.string(), slots: slotsSchema }).parse(JSON.parse(read));
  if (found.intent !== wanted.intent) return false;
  const isOfTimer = wanted.intent.includes('Timer') && wanted.intent !== 'HassStartTimer';
  if (isOfTimer && !isMeant(found.slots, wanted.slots)) return false;
  const names = new Set([...Object.keys(found.slots), ...Object.keys(wanted.slots)]);
  return [...names]
    .filter((name) => !isOfTimer || !places.includes(name))
    .every((name) => textsOf(wanted.slots[name]).includes(textsOf(found.slots[name])[0] ?? ''));
}

/** The texts that a test allows for a slot, which may be templates: "kuchyn(i|a|e)". */
function textsOf(value: unknown): string[] {
  return [value ?? ''].flat().map((text) =>
    String(text)
      .replace(/\(([^|)]*)[^)]*\)/u, '$1')
      .toLowerCase()
      .normalize('NFKC')
      .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, ''),
  );
}

/** Whether a timer with the name or in the room of the test is meant, as in a household. */
function isMeant(found: Record<string, unknown>, wanted: Record<string, unknown>): boolean {
  const [label = '', room = ''] = places.map((name) => textsOf(wanted[name])[0]);
  if (label === '' && room === '') return places.every((name) => found[name] === undefined);
  const said = saidSchema.parse({ ...found, start_hours: null, start_minutes: null, start_seconds: null });
  return timersMeantBy(said, [{ ...aTimer, label: label || null, room: room || null }]).length === 1;
}

/** The tests of the bound intents. A command for later is not a timer of ours: the house reads it. */
function testsOf(tag: string): CommunityTest[] {
  return intents
    .map((intent) => ({ intent, path: join(folder, tag, intent) }))
    .filter(({ path }) => existsSync(path))
    .flatMap(({ intent, path }) =>
      readdirSync(path)
        .filter((file) => file.endsWith('.yaml'))
        .flatMap((file) => testsSchema.parse(readYaml(join(path, file))).tests)
        .filter(({ slots = {} }) => !('conversation_command' in slots))
        .flatMap(({ sentences, slots = {} }) => sentences.map((text) => ({ text, intent, slots }))),
    );
}

async function judge(tag: string, read: Reader): Promise<Understanding> {
  const found: Understanding = { tag, tests: 0, right: 0, matchMs: [], wrong: [] };
  for (const test of testsOf(tag)) {
    const { isRight, read: as, ms } = await read(test);
    found.tests += 1;
    found.right += Number(isRight);
    found.matchMs.push(ms);
    if (!isRight) found.wrong.push(`${test.intent} ${JSON.stringify(test.slots)}: ${test.text} => ${as}`);
  }
  return found;
}

interface LanguagesCost {
  /** The additional cost of six languages, compared with English alone. */
  moreStartMs: number;
  moreMb: number;
}

/** The files and skills of all complete languages, beside English alone. */
function costOfLanguages(redis: Redis): LanguagesCost {
  const kept: unknown[] = [skillsOf('en', redis)];
  const bytes = heldBytes();
  const fromMs = performance.now();
  for (const tag of completeTags.slice(1)) kept.push(skillsOf(tag, redis));
  const moreStartMs = Math.round(performance.now() - fromMs);
  const moreMb = roundTo((heldBytes() - bytes) / 1_024 ** 2, 1);
  return kept.length === completeTags.length ? { moreStartMs, moreMb } : { moreStartMs: 0, moreMb: 0 };
}

function report(found: readonly Understanding[], cost: LanguagesCost): Findings {
  const some = found.filter(({ tests }) => tests > 0);
  const share = ({ right, tests }: Understanding) => right / tests;
  const rows = some.map((each) => {
    const { medianMs, p99Ms } = summary(each.matchMs);
    const percent = (share(each) * 100).toFixed(1);
    return [
      each.tag,
      String(each.tests),
      String(each.right),
      `${percent} %`,
      medianMs.toFixed(2),
      p99Ms.toFixed(1),
    ];
  });
  const all = summary(some.flatMap(({ matchMs }) => matchMs));
  const low = some.filter((each) => share(each) < goals.understood);
  return {
    text: `The community's test sentences: understood with their slots, and ms for a sentence (median, p99)
${table([['language', 'sentences', 'right', 'share', 'median', 'p99'], ...rows])}
all: ${some.reduce((sum, { right }) => sum + right, 0)} of ${all.calls} right, ${all.medianMs.toFixed(2)} ms, ${all.p99Ms.toFixed(1)} ms
six languages instead of English alone: ${cost.moreStartMs} ms more at a start, ${cost.moreMb} MB more`,
    figures: { found: some.map(({ matchMs, ...each }) => ({ ...each, ms: summary(matchMs) })), cost },
    missed: [
      ...low.map(
        (each) => `${each.tag}: ${(share(each) * 100).toFixed(1)} % are understood; the goal is 97.`,
      ),
      ...(all.medianMs <= goals.medianMs && all.p99Ms <= goals.p99Ms ? [] : ['Matching takes too long.']),
      ...(cost.moreStartMs <= goals.moreStartMs ? [] : [`Six languages start ${cost.moreStartMs} ms later.`]),
      ...(cost.moreMb <= goals.moreMb ? [] : [`Six languages take ${cost.moreMb} MB more.`]),
    ],
  };
}
