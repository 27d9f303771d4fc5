import { request } from 'undici';
import { z } from 'zod';
import { type Household, type HouseholdOptions, startHousehold } from '../household.ts';
import type { Findings } from '../part.ts';
import { type JudgedSentence, type Outcome, readJudged, writeJudged } from './judged-sentences.ts';
import {
  type Group,
  readGroups,
  readSentences,
  readVerdicts,
  type Sentence,
  type Verdict,
} from './sentences.ts';
import { reportOf } from './understanding-report.ts';
import { type Effect, openWorld, type World } from './world.ts';

/** The initial contents of a household, so that sentences can change, ask about and remove something. */
const household = [
  'set a timer for one hour',
  'set an alarm for seven in the morning',
  'remind me tomorrow at noon to call mum',
  'add milk, bread, apples and eggs to the shopping list',
  'add call the dentist to the to-do list',
  'make a packing list',
  'yes',
];

/** The room of all sentences. */
export const room = 'Living Room';

const answerSchema = z.object({ reply: z.string(), via: z.string() });

export interface UnderstandingOptions {
  /** A file of sentences: columns id, collection, intent, sentence. */
  sentences: string;
  /** A real Home Assistant. */
  home: { url: string; token: string };
  /** An empty folder for this run. */
  folder: string;
  /** The file for every sentence with its outcome. */
  results: string;
  signal: AbortSignal;
  /**
   * Every nth sentence, starting with the first, second and so on; a run with the first starts new results.
   */
  part: Share;
  /** Only those of this group or intent. */
  intent: string | null;
}

interface Share {
  at: number;
  of: number;
}

/**
 * Says sentences that people said to other assistants, each in a separate conversation, to a household with a
 * real house. Compares its stores and the states of the house before and after, and ignores its own words
 * about them.
 */
export async function runUnderstanding(options: UnderstandingOptions): Promise<Findings> {
  const { part, results } = options;
  const sentences = chosenOf(readSentences(options.sentences), options);
  const judged = await withHousehold(options, (house, world) => sayAll(sentences, house, world));
  writeJudged(results, judged, part.at === 1);
  return reportOf(readJudged(results));
}

function chosenOf(all: readonly Sentence[], { part, intent }: UnderstandingOptions): Sentence[] {
  const groupOf = readGroups();
  const isMeant = (each: Sentence) =>
    intent === null || [each.intent, groupOf(each.intent)?.name].includes(intent);
  return all.filter(isMeant).filter((_, at) => at % part.of === part.at - 1);
}

async function sayAll(
  sentences: readonly Sentence[],
  house: Household,
  world: World,
): Promise<JudgedSentence[]> {
  const groupOf = readGroups();
  const verdictOf = readVerdicts();
  const judged: JudgedSentence[] = [];
  for (const { id, intent, text } of sentences) {
    const begunAt = performance.now();
    const { reply, via } = await askHouse(house, { text, client: id });
    const tookMs = performance.now() - begunAt;
    const effects = via === 'local' ? [] : await world.effects(via === 'home');
    if (effects.length > 0) await world.putBack();
    const group = groupOf(intent);
    const what = happened({ effects, reply });
    const outcome = outcomeOf({ group, via, reply, effects }, verdictOf(id, what));
    const about = { id, intent, text, reply, via, tookMs, outcome };
    judged.push({ ...about, group: group?.name ?? null, acts: effects.length, happened: what });
    if (judged.length % 500 === 0) process.stderr.write(`${judged.length} of ${sentences.length}\n`);
  }
  return judged;
}

/** A household with a real house and initial contents, which are compared from then on. */
export async function withHousehold<T>(
  { home, folder, signal, ...speech }: HouseholdOptions & Pick<UnderstandingOptions, 'home'>,
  work: (house: Household, world: World) => Promise<T>,
): Promise<T> {
  const house = await startHousehold({ folder, signal, home, ...speech });
  let world: World | undefined;
  try {
    await house.setEngineTime(0);
    for (const text of household) await askHouse(house, { text, client: 'household' });
    world = await openWorld({ redisUrl: house.redisUrl, home, timeZone: house.timeZone, signal });
    return await work(house, world);
  } finally {
    world?.close();
    await house.end();
  }
}

/** Types a sentence. */
export async function askHouse(house: Household, { text, client }: { text: string; client: string }) {
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

/** A change outside of what its intent may change is always wrong; a question in return changes nothing. */
function outcomeOf({ group, via, reply, effects }: About, judged: Verdict | null): Outcome {
  if (judged !== null) return judged;
  if (effects.some(({ kind }) => group?.changes.has(kind) !== true)) return 'wrong';
  if (via === 'local') return 'model';
  if (effects.length === 0 && reply.endsWith('?')) return 'asked';
  return 'unjudged';
}

/** Independent of the day and the hour. */
export function happened({ effects, reply }: Pick<About, 'effects' | 'reply'>): string {
  if (effects.length > 0) return effects.map(({ what }) => what).join('; ');
  const days = /\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day\b/g;
  const months =
    /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b/g;
  return `"${reply.replaceAll(days, 'DAY').replaceAll(months, 'MONTH').replaceAll(/\d+/g, '#')}"`;
}
