import { QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { queuePrefix } from '../api/src/jobs/queues.ts';
import { patientRedis } from '../api/src/redis/redis.ts';
import { spokenCase, spokenCases } from '../tests/support/audio/spoken-clips.ts';
import type { Household } from './household.ts';
import { roundTo, summary, table } from './measure.ts';
import { overtakenIn, type QueueNews, type Rank, waitsIn } from './order-kept.ts';
import type { Findings, Part } from './part.ts';
import { hasRealEngines, onRealEngines } from './real-engines.ts';
import { type Clip, type Satellite, withSatellites } from './satellite.ts';

const speakers = 4;
const typists = 4;
const rounds = 3;
/** Answers of several sentences, and questions that no rule answers. */
const said = 'joe-story.wav';
const typed = 'Tell me a story.';
/** How long a person listens to an answer; a story is longer. */
const listenMs = 8_000;

/**
 * Eight concurrent callers on real engines: whether spoken turns run before typed ones, and first sentences
 * before later ones.
 */
export const fairOrderPart: Part = {
  name: 'fair-order',
  async run(house) {
    const spoken = spokenCases.find(({ file }) => file === said);
    if (!hasRealEngines || !spoken) {
      const text = 'Eight callers at once: skipped, it needs .venv, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    const [fromS, untilS] = spoken.speech[0] ?? [0, 0];
    const clip = { samples: spokenCase(said), fromMs: fromS * 1_000, untilMs: untilS * 1_000 };
    return onRealEngines(house, 'fair-order-house', (live) => measure(live, clip));
  },
};

async function measure(live: Household, clip: Clip): Promise<Findings> {
  const watch = await watchQueues(live.redisUrl);
  const clients = Array.from({ length: speakers }, (_, nth) => `speaker-${nth}`);
  try {
    const measured = await withSatellites({ url: live.api.url, clients }, async (satellites) => {
      const all: Asked[] = [];
      for (let round = 0; round < rounds; round += 1)
        all.push(await askAll(live, satellites, { clip, round }));
      return { all, spokenTurns: turnsOf(satellites) };
    });
    return report({ ...watch.news, ...measured });
  } finally {
    await watch.stop();
  }
}

/** How long each waited, in ms, and the reasons for missing answers. */
interface Asked {
  firstMs: readonly number[];
  typedMs: readonly number[];
  failures: readonly string[];
}

async function askAll(
  live: Household,
  satellites: readonly Satellite[],
  { clip, round }: { clip: Clip; round: number },
): Promise<Asked> {
  live.signal.throwIfAborted();
  const typing = Array.from({ length: typists }, (_, nth) => type(live, `typist-${nth}-${round}`));
  const speaking = satellites.map((satellite, nth) => speak(satellite, clip, `${nth}-${round}`));
  const [written, spoken] = [await Promise.allSettled(typing), await Promise.allSettled(speaking)];
  return {
    firstMs: answersOf(spoken),
    typedMs: answersOf(written),
    failures: [...written, ...spoken].flatMap((ended) =>
      ended.status === 'rejected' ? [`A question was not answered: ${ended.reason}`] : [],
    ),
  };
}

const answersOf = (all: readonly PromiseSettledResult<number>[]) =>
  all.flatMap((ended) => (ended.status === 'fulfilled' ? [ended.value] : []));

function turnsOf(satellites: readonly Satellite[]): Set<string> {
  const created = satellites.flatMap(({ line }) =>
    line.events.flatMap(({ event }) => (event.type === 'response.created' ? [event.turn_id] : [])),
  );
  return new Set(created);
}

async function type(live: Household, client: string): Promise<number> {
  const begunAt = performance.now();
  const answer = await fetch(`${live.api.url}/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: typed, client }),
    signal: live.signal,
  });
  if (!answer.ok) throw new Error(`/ask answered ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
  return performance.now() - begunAt;
}

/** A separate conversation each time, so that earlier turns have no effect. */
async function speak(satellite: Satellite, clip: Clip, conversation: string): Promise<number> {
  satellite.line.send({ type: 'session.update', session: { client: `speaker-${conversation}` } });
  try {
    return (await satellite.ask(clip, { listenMs })).firstSoundMs;
  } finally {
    await satellite.hush();
  }
}

/** Records the events of the think and speak queues, in the order of Redis. */
async function watchQueues(redisUrl: string) {
  const news: Record<'think' | 'speak', QueueNews[]> = { think: [], speak: [] };
  const opened = (['think', 'speak'] as const).map((name) => {
    const events = new QueueEvents(name, {
      connection: new Redis(redisUrl, patientRedis),
      prefix: queuePrefix,
    });
    const note =
      (is: QueueNews['is']) =>
      ({ jobId }: { jobId: string }, id: string) =>
        void news[name].push({ is, job: jobId, atMs: Number.parseInt(id, 10) });
    events.on('waiting', note('waits'));
    events.on('active', note('begins'));
    events.on('removed', note('leaves'));
    return events;
  });
  await Promise.all(opened.map((events) => events.waitUntilReady()));
  return {
    news,
    stop: async () => {
      await Promise.all(opened.map((events) => events.close()));
    },
  };
}

interface Seen {
  think: readonly QueueNews[];
  speak: readonly QueueNews[];
  /** The ids that satellites know. A turn that continues the previous sentence has a number as suffix. */
  spokenTurns: ReadonlySet<string>;
  all: readonly Asked[];
}

function report({ think, speak, spokenTurns, all }: Seen): Findings {
  const isSpoken = (turn: string) => spokenTurns.has(turn.replace(/\.\d+$/, ''));
  const rankOfTurn: Rank = (job) => (isSpoken(job) ? 0 : 1);
  // A separate sentence, such as a filler, has no number and goes first, too.
  const rankOfSentence: Rank = (job) => (/-[1-9]\d{0,3}$/.test(job) ? 1 : 0);
  const kinds = [
    { what: 'spoken before typed', news: think, rank: rankOfTurn, first: 'spoken', last: 'typed' },
    {
      what: 'first sentences before later ones',
      news: speak,
      rank: rankOfSentence,
      first: 'first',
      last: 'later',
    },
  ].map((kind) => ({
    ...kind,
    overtaken: overtakenIn(kind.news, kind.rank),
    waits: waitsIn(kind.news, kind.rank),
  }));
  const ms = (value: number) => (Number.isNaN(value) ? '-' : `${value.toFixed(0)} ms`);
  const rows = kinds.flatMap(({ what, first, last, overtaken, waits }) =>
    [first, last].map((name, rank) => {
      const { calls, medianMs, maxMs } = summary(waits.get(rank) ?? []);
      return [
        `${what}: ${name}`,
        String(calls),
        ms(medianMs),
        ms(maxMs),
        rank === 0 ? String(overtaken) : '',
      ];
    }),
  );
  const spoken = summary(all.flatMap(({ firstMs }) => firstMs));
  const written = summary(all.flatMap(({ typedMs }) => typedMs));
  return {
    text: `${speakers} speakers and ${typists} typists, all at once, real engines, ${rounds} times
${table([['order in the queue', 'jobs', 'median wait', 'longest', 'overtaken'], ...rows])}
First sound of a spoken answer: median ${ms(spoken.medianMs)}, longest ${ms(spoken.maxMs)}; typed answers whole: median ${ms(written.medianMs)}, longest ${ms(written.maxMs)}`,
    figures: {
      kinds: kinds.map(({ what, overtaken, waits }) => ({
        what,
        overtaken,
        waits: [...waits].map(([rank, each]) => ({ rank, ...summary(each.map((one) => roundTo(one, 1))) })),
      })),
      spoken,
      written,
    },
    missed: [
      ...all.flatMap(({ failures }) => failures),
      ...kinds
        .filter(({ overtaken }) => overtaken > 0)
        .map(({ what, overtaken }) => `${what}: violated ${overtaken} times.`),
      ...kinds
        .filter(({ waits }) => !waits.has(0) || !waits.has(1))
        .map(({ what }) => `${what}: not tested, because no job waited.`),
    ],
  };
}
