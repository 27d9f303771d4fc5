import { writeFileSync } from 'node:fs';
import { request } from 'undici';
import { z } from 'zod';
import { type Household, type HouseholdOptions, startHousehold } from '../household.ts';
import { summary, table } from '../measure.ts';
import type { Findings } from '../part.ts';
import { type Group, readGroups, readSentences, readVerdicts, type Sentence, verdicts } from './sentences.ts';
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

/** A sentence of another intent may do nothing at all. */
const most = { foreignActs: 0, wrong: 0, p50Ms: 10, p99Ms: 60 };

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
}

type Outcome = (typeof verdicts)[number] | 'model' | 'unjudged';

interface Told {
  sentence: Sentence;
  group: Group | null;
  reply: string;
  via: string;
  effects: Effect[];
  outcome: Outcome;
  tookMs: number;
}

/**
 * Says what people said to other assistants, each sentence in a conversation of its own, to a household with a real house, and looks at what
 * its stores and the states of the house were before and after, not at what it says about it.
 */
export async function runUnderstanding(options: UnderstandingOptions): Promise<Findings> {
  const sentences = readSentences(options.sentences);
  const groupOf = readGroups();
  const verdictOf = readVerdicts();
  return await withHousehold(options, async (house, world) => {
    const told: Told[] = [];
    for (const sentence of sentences) {
      const begunAt = performance.now();
      const { reply, via } = await asked(house, { text: sentence.text, client: sentence.id });
      const tookMs = performance.now() - begunAt;
      const effects = via === 'local' ? [] : await world.effects(via === 'home');
      if (effects.length > 0) await world.putBack();
      const group = groupOf(sentence.intent);
      const about = { sentence, group, reply, via, effects, tookMs };
      const judged = verdictOf(sentence.id, happened(about));
      told.push({ ...about, outcome: outcomeOf(about, judged) });
      if (told.length % 500 === 0) process.stderr.write(`${told.length} of ${sentences.length}\n`);
    }
    writeFileSync(options.results, told.map(lineOf).join(''));
    return report(told);
  });
}

/** A household with a real house, which has something in hand; what it has and what the house shows is looked at from then on. */
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

type About = Omit<Told, 'outcome'>;

/** An act outside of what its intent may change is wrong, whatever else; a question back has done nothing. */
function outcomeOf({ group, via, reply, effects }: About, judged: Outcome | null): Outcome {
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

function lineOf(told: Told): string {
  const { sentence, group, via, outcome, reply } = told;
  const columns = [
    sentence.id,
    sentence.intent,
    group?.name ?? '-',
    via,
    outcome,
    happened(told),
    sentence.text,
    reply,
  ];
  return `${columns.map((column) => column.replaceAll(/\s+/g, ' ')).join('\t')}\n`;
}

function report(told: readonly Told[]): Findings {
  const names = [...new Set(told.map(({ group }) => group?.name ?? 'not for Hearth'))].toSorted();
  const outcomes: readonly Outcome[] = [...verdicts, 'unjudged', 'model'];
  const rows = names.map((name) => {
    const these = told.filter(({ group }) => (group?.name ?? 'not for Hearth') === name);
    const counts = outcomes.map((outcome) => these.filter((each) => each.outcome === outcome).length);
    return { name, said: these.length, counts };
  });
  const foreign = told.filter(({ group, effects }) => group === null && effects.length > 0);
  const wrong = told.filter(({ outcome }) => outcome === 'wrong');
  const answered = told.filter(({ via }) => via === 'skills').map(({ tookMs }) => tookMs);
  const times = summary(answered);
  const missed = [
    ...(foreign.length > most.foreignActs
      ? [`${foreign.length} sentences that are none of Hearth's changed something.`]
      : []),
    ...(wrong.length > most.wrong ? [`${wrong.length} sentences did something else than was asked.`] : []),
  ];
  const lines = [
    `Understanding: ${told.length} sentences that other people said, to a real house`,
    table([
      ['', 'said', ...outcomes],
      ...rows.map(({ name, said, counts }) => [name, String(said), ...counts.map(String)]),
    ]),
    `Answered by skills: median ${times.medianMs.toFixed(1)} ms, p95 ${times.p95Ms.toFixed(1)} ms`,
    ...new Set([...foreign, ...wrong].map((each) => `  ${lineOf(each).trim()}`)),
  ];
  return {
    text: lines.join('\n'),
    figures: { rows, foreign: foreign.length, wrong: wrong.length, times },
    missed,
  };
}
