import { request } from 'undici';
import { z } from 'zod';
import { type Household, type HouseholdOptions, startHousehold } from '../household.ts';
import type { Findings } from '../part.ts';
import {
  type Group,
  readGroups,
  readSentences,
  readVerdicts,
  type Sentence,
  type Verdict,
} from './sentences.ts';
import { type Outcome, readTold, type Told, writeTold } from './told.ts';
import { reportOf } from './understanding-report.ts';
import { type Effect, openWorld, type World } from './world.ts';

/** What a household has in hand, so that there is something to change, to ask about and to take away. */
const household = [
  'set a timer for one hour',
  'set an alarm for seven in the morning',
  'remind me tomorrow at noon to call mum',
  'add milk, bread, apples and eggs to the shopping list',
  'add call the dentist to the to-do list',
  'make a packing list',
  'yes',
];

/** Where everything is said. */
export const room = 'Living Room';

const answerSchema = z.object({ reply: z.string(), via: z.string() });

export interface UnderstandingOptions {
  /** A file of sentences: columns id, collection, intent, sentence. */
  sentences: string;
  /** A real Home Assistant. */
  home: { url: string; token: string };
  /** An empty folder of this run. */
  folder: string;
  /** Where every sentence goes, with what became of it. */
  results: string;
  signal: AbortSignal;
  /** Every so-many-th sentence, from the first, second ... on; the first begins the results anew. */
  part: Share;
  /** Only those of this group or intent. */
  intent: string | null;
}

export interface Share {
  at: number;
  of: number;
}

/**
 * Says what people said to other assistants, each sentence in a conversation of its own, to a household with
 * a real house, and looks at what its stores and the states of the house were before and after, not at what
 * it says about it.
 */
export async function runUnderstanding(options: UnderstandingOptions): Promise<Findings> {
  const { part, results } = options;
  const sentences = chosenOf(readSentences(options.sentences), options);
  const told = await withHousehold(options, (house, world) => sayAll(sentences, house, world));
  writeTold(results, told, part.at === 1);
  return reportOf(readTold(results));
}

function chosenOf(all: readonly Sentence[], { part, intent }: UnderstandingOptions): Sentence[] {
  const groupOf = readGroups();
  const isMeant = (each: Sentence) =>
    intent === null || [each.intent, groupOf(each.intent)?.name].includes(intent);
  return all.filter(isMeant).filter((_, at) => at % part.of === part.at - 1);
}

async function sayAll(sentences: readonly Sentence[], house: Household, world: World): Promise<Told[]> {
  const groupOf = readGroups();
  const verdictOf = readVerdicts();
  const told: Told[] = [];
  for (const { id, intent, text } of sentences) {
    const begunAt = performance.now();
    const { reply, via } = await asked(house, { text, client: id });
    const tookMs = performance.now() - begunAt;
    const effects = via === 'local' ? [] : await world.effects(via === 'home');
    if (effects.length > 0) await world.putBack();
    const group = groupOf(intent);
    const what = happened({ effects, reply });
    const outcome = outcomeOf({ group, via, reply, effects }, verdictOf(id, what));
    const about = { id, intent, text, reply, via, tookMs, outcome };
    told.push({ ...about, group: group?.name ?? null, acts: effects.length, happened: what });
    if (told.length % 500 === 0) process.stderr.write(`${told.length} of ${sentences.length}\n`);
  }
  return told;
}

/**
 * A household with a real house, which has something in hand; what it has and what the house shows is looked
 * at from then on.
 */
export async function withHousehold<T>(
  { home, folder, signal, ...speech }: HouseholdOptions & Pick<UnderstandingOptions, 'home'>,
  work: (house: Household, world: World) => Promise<T>,
): Promise<T> {
  const house = await startHousehold({ folder, signal, home, ...speech });
  let world: World | undefined;
  try {
    await house.setEngineTime(0);
    for (const text of household) await asked(house, { text, client: 'household' });
    world = await openWorld({ redisUrl: house.redisUrl, home, timeZone: house.timeZone, signal });
    return await work(house, world);
  } finally {
    world?.close();
    await house.end();
  }
}

/** Types a sentence. */
export async function asked(house: Household, { text, client }: { text: string; client: string }) {
  const { statusCode, body } = await request(`${house.api.url}/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text, client, room }),
    signal: house.signal,
  });
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`"${text}" was answered ${statusCode} ${answer}`);
  return answerSchema.parse(JSON.parse(answer));
}

interface About {
  group: Group | null;
  via: string;
  reply: string;
  effects: readonly Effect[];
}

/** An act outside of what its intent may change is wrong, whatever else; a question back has done nothing. */
function outcomeOf({ group, via, reply, effects }: About, judged: Verdict | null): Outcome {
  if (judged !== null) return judged;
  if (effects.some(({ kind }) => group?.changes.has(kind) !== true)) return 'wrong';
  if (via === 'local') return 'model';
  if (effects.length === 0 && reply.endsWith('?')) return 'asked';
  return 'unjudged';
}

/** The same on every day and at every hour. */
export function happened({ effects, reply }: Pick<About, 'effects' | 'reply'>): string {
  if (effects.length > 0) return effects.map(({ what }) => what).join('; ');
  const days = /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/g;
  const months =
    /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/g;
  return `"${reply.replaceAll(days, 'DAY').replaceAll(months, 'MONTH').replaceAll(/\d+/g, '#')}"`;
}
