import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { givenHome } from '../home-assistant/home-line.ts';
import { type Household, startHousehold } from '../household.ts';
import { roundTo, table } from '../measure.ts';
import type { Findings, Part } from '../part.ts';
import { passes, type Stands, unexpected } from './leaderboard-rule.ts';
import { furnished, type Home, readTestSet, type Test } from './test-set.ts';

const sets = ['assist', 'questions'];
/** Minimum in percent; a lower result means that a sentence is no longer understood. */
const targets: Readonly<Record<string, number>> = { assist: 90, questions: 95 };
/** A home is at rest when two reads of it, this far apart, are equal. */
const restMs = 150;
const maxLooks = 20;
/** Hearth receives new names within this time. */
const learnMs = 10_000;

const answerSchema = z.object({ reply: z.string(), via: z.string() });
const statesSchema = z.array(
  z.object({ entity_id: z.string(), state: z.string(), attributes: z.record(z.string(), z.json()) }),
);

/** One sentence with its verdict. */
interface Said {
  set: string;
  category: string;
  sentence: string;
  reply: string;
  via: string;
  /** Null if the leaderboard does not count it. */
  isRight: boolean | null;
  /** It changed something although it failed. */
  acted: boolean;
}

/**
 * The sentences of the Home LLM Leaderboard, for Hearth without a language model. It uses a real Home
 * Assistant with changing contents.
 */
export const homeLlmPart: Part = {
  name: 'home-llm',
  async run({ folder, signal }) {
    const data = process.env['HOME_LLM'];
    if (!data || givenHome === null) {
      const text =
        'The Home LLM Leaderboard: left out, it needs HOME_LLM, HOME_ASSISTANT_URL and HOME_ASSISTANT_TOKEN';
      return { text, figures: null, missed: [] };
    }
    const house = await openFurnished(givenHome, signal);
    const own = join(folder, 'home-llm');
    mkdirSync(own);
    const hearth = await startHousehold({ folder: own, signal, home: givenHome, more: { TZ: house.zone } });
    try {
      const said: Said[] = [];
      for (const set of sets) said.push(...(await sayAll(set, { data, house, hearth })));
      return report(said);
    } finally {
      await hearth.end();
    }
  },
};

/** Home Assistant with the component `furnished_home`, which gives it the contents of another home. */
async function openFurnished({ url, token }: { url: string; token: string }, signal: AbortSignal) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${url}${path}`, { headers, signal })).json();
  const { time_zone: zone } = z.object({ time_zone: z.string() }).parse(await get('/api/config'));

  const stands = async ({ entities }: Home): Promise<Stands> => {
    const ids = new Set(entities.map(({ id }) => id));
    const all = statesSchema.parse(await get('/api/states')).filter(({ entity_id: id }) => ids.has(id));
    return Object.fromEntries(all.map(({ entity_id: id, state, attributes }) => [id, { state, attributes }]));
  };

  return {
    zone,
    today: () => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date()),
    async furnish(home: Home): Promise<void> {
      const path = '/api/services/furnished_home/furnish';
      const body = JSON.stringify(home);
      const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body, signal });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    },
    /** The states at rest. */
    async settled(home: Home): Promise<Stands> {
      let [before, after] = [await stands(home), await stands(home)];
      for (let looks = 0; looks < maxLooks; looks += 1) {
        await delay(restMs);
        [before, after] = [after, await stands(home)];
        if (JSON.stringify(before) === JSON.stringify(after)) break;
      }
      return after;
    },
  };
}

interface Setting {
  data: string;
  house: Awaited<ReturnType<typeof openFurnished>>;
  hearth: Household;
}

async function sayAll(set: string, { data, house, hearth }: Setting): Promise<Said[]> {
  const { homes, records } = readTestSet(data, set);
  const said: Said[] = [];
  let known = '';
  for (const record of records) {
    const home = homes[record.home];
    if (!home) throw new Error(`${record.id} has no home`);
    if (known !== record.home) {
      await house.furnish(home);
      await delay(learnMs);
    }
    known = record.home;
    const ofRecord: Said[] = [];
    for (const test of record.tests)
      for (const sentence of test.sentences) {
        await house.furnish(furnished(home, test, house.today()));
        const before = await house.settled(home);
        const answer = await ask(hearth, sentence, roomOf(home, test), `${set}-${said.length}`);
        const after = await house.settled(home);
        const isRight = passes(test, { before, after, reply: answer.reply });
        const acted = isRight === false && unexpected({}, before, after).length > 0;
        ofRecord.push({
          set,
          category: [record.category].flat()[0] ?? '',
          sentence,
          ...answer,
          isRight,
          acted,
        });
      }
    said.push(...onlyLast(ofRecord));
  }
  return said;
}

/** Of tests with the same sentence, the leaderboard counts the last one. */
function onlyLast(said: readonly Said[]): Said[] {
  const last = new Map(said.map((each) => [each.sentence.toLowerCase(), each]));
  return said.filter((each) => last.get(each.sentence.toLowerCase()) === each);
}

function roomOf({ devices, areas }: Home, { context_device: device }: Test): string | undefined {
  const area = devices.find(({ id }) => id === device)?.area;
  return areas.find(({ id }) => id === area)?.name;
}

let calls = 0;

async function ask({ api, signal }: Household, text: string, room: string | undefined, set: string) {
  calls += 1;
  const { statusCode, body } = await request(`${api.url}/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text, client: `home-llm-${set}-${calls}`, ...(room !== undefined && { room }) }),
    signal,
  });
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`"${text}" was answered ${statusCode} ${answer}`);
  return answerSchema.parse(JSON.parse(answer));
}

function report(said: readonly Said[]): Findings {
  const counted = said.filter(({ isRight }) => isRight !== null);
  const scores = sets.map((set) => {
    const ofSet = counted.filter((each) => each.set === set);
    // The stub of the language model uses words that are in no expected answer.
    const right = ofSet.filter(({ isRight }) => isRight).length;
    return { set, right, counted: ofSet.length, percent: roundTo((100 * right) / ofSet.length, 1) };
  });
  const rows = scores.map(({ set, right, counted: all, percent }) => [
    set,
    `${right} of ${all}`,
    `${percent}%`,
  ]);
  const failed = counted.filter(({ isRight }) => !isRight);
  const lines = failed.map(
    ({ acted, sentence, reply }) => `${acted ? 'acted' : 'failed'}: "${sentence}" -> "${reply}"`,
  );
  return {
    text: `The Home LLM Leaderboard, without a language model\n${table([['set', 'right', ''], ...rows])}\n${lines.join('\n')}`,
    figures: { scores, failed },
    missed: scores
      .filter(({ set, percent }) => percent < (targets[set] ?? 0))
      .map(({ set, percent }) => `${set} is at ${percent}%, not ${targets[set]}%`),
  };
}
