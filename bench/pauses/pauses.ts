import { setTimeout as delay } from 'node:timers/promises';
import { spokenCases } from '../../tests/support/audio/spoken-clips.ts';
import type { Household } from '../household.ts';
import type { Findings, Part } from '../part.ts';
import { hasRealEngines, onRealEngines } from '../real-engines.ts';
import { type Satellite, withSatellite } from '../satellite.ts';
import { householdActs } from './household-acts.ts';
import {
  chosen,
  report,
  type Spoken,
  sentencesToLearn,
  type Way,
  ways,
  wrongActsOf,
} from './pause-report.ts';
import { type Cut, chosenPausesMs, pauseSet } from './pause-set.ts';
import { sayCut } from './say-cut.ts';

/**
 * Speaks every nth sentence; the whole set (1) takes an hour and a half. `pauses-decided` covers all of them.
 */
const every = Number(process.env['BENCH_PAUSES_EVERY'] ?? 12);
/** Only these have an effect in a household without lights. */
const acting = /timer|milk|cancel|long/;

/** People who pause inside their sentences: how many are cut off, can finish, or cause a wrong action. */
export const pausesPart: Part = {
  name: 'pauses',
  async run(house) {
    if (!hasRealEngines || spokenCases.length === 0) {
      const text = 'Pauses inside sentences: skipped, it needs .venv, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    const cuts = pauseSet();
    return onRealEngines(house, 'pauses-house', (live) => measure(live, cuts));
  },
};

async function measure(live: Household, cuts: readonly Cut[]): Promise<Findings> {
  const acts = householdActs(live);
  const all: Spoken[] = [];
  for (const way of chosen(ways)) {
    await acts.change(way.settings);
    all.push(...(await sayAll(live, cuts, way)));
    await acts.change(Object.fromEntries(Object.keys(way.settings).map((key) => [key, null])));
  }
  return report('Pauses inside sentences, real engines in real time', all);
}

/** One satellite says the sentences with effects, another one beside it all others. */
async function sayAll(live: Household, cuts: readonly Cut[], way: Way): Promise<Spoken[]> {
  const cutAt = chosenPausesMs
    .flatMap((pauseMs) => cuts.map((cut) => ({ cut, pauseMs })))
    .filter((_, at) => at % every === 0);
  const isActing = ({ cut }: { cut: Cut }) => acting.test(cut.file);
  const lanes = [cutAt.filter(isActing), cutAt.filter((each) => !isActing(each))];
  const said = await Promise.all(
    lanes.map((lane, at) =>
      withSatellite({ url: live.api.url, client: `${way.name} ${at}` }, (satellite) =>
        sayLane(live, satellite, { lane, way, mayAct: at === 0 }),
      ),
    ),
  );
  return said.flat();
}

interface Lane {
  lane: readonly { cut: Cut; pauseMs: number }[];
  way: Way;
  mayAct: boolean;
}

async function sayLane(
  live: Household,
  satellite: Satellite,
  { lane, way, mayAct }: Lane,
): Promise<Spoken[]> {
  const acts = householdActs(live);
  const expected = new Map<string, readonly string[]>();
  const spoken: Spoken[] = [];
  /** One client has learned pauses; each of the others is a new person. */
  const clientOf = (pauseMs: number, at: number) =>
    way.isLearned ? `${way.name} ${mayAct} ${pauseMs}` : `${way.name} ${mayAct} ${at}`;
  const say = async (cut: Cut, pauseMs: number, client: string) => {
    live.signal.throwIfAborted();
    if (mayAct) await acts.begin({ hasTimer: cut.file.includes('cancel') });
    satellite.line.send({ type: 'session.update', session: { client } });
    const heard = await sayCut(satellite, cut.clip(pauseMs));
    await delay(mayAct ? 200 : 0);
    return { heard, done: mayAct ? await acts.done() : [] };
  };

  let learnedOf = 0;
  for (const [at, { cut, pauseMs }] of lane.entries()) {
    const { file } = cut;
    if (mayAct && !expected.has(file))
      expected.set(file, (await say(cut, 0, `${way.name} whole ${at}`)).done);
    const client = clientOf(pauseMs, at);
    if (way.isLearned && learnedOf !== pauseMs) {
      for (const { cut: other } of lane.slice(0, sentencesToLearn)) await say(other, pauseMs, client);
      learnedOf = pauseMs;
    }
    const { heard, done } = await say(cut, pauseMs, client);
    const wrongActs = wrongActsOf(done, expected.get(file) ?? []);
    spoken.push({ ...heard, cut, pauseMs, way: way.name, wrongActs });
  }
  return spoken;
}
