import { setTimeout as delay } from 'node:timers/promises';
import { QueueEvents } from 'bullmq';
import { Redis } from 'ioredis';
import { queuePrefix, queueRules } from '../api/src/jobs/queues.ts';
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
const rounds = 6;
/** The speakers take turns with these. The story has several sentences, and no rule answers it. */
const said = { question: 'joe-france.wav', command: 'joe-time.wav', long: 'joe-story.wav' } as const;
type Kind = keyof typeof said;
const kinds = ['question', 'command', 'long'] as const;
const typed = 'Tell me a story.';
/** The first sound may come this much later than for a single caller, as a factor of the 95th percentile. */
const maxLater = 1.5;
/** How long a person listens to an answer while others wait; a story is longer. */
const listenMs = 8_000;
/** A new sentence, not the rest of the one before. */
const restMs = 2_200;

/**
 * Eight concurrent callers on real engines: whether spoken turns run before typed ones, and first sentences
 * before later ones.
 */
export const fairOrderPart: Part = {
  name: 'fair-order',
  async run(house) {
    const clips = clipsOf();
    if (!hasRealEngines || clips === null) {
      const text = 'Eight callers at once: skipped, it needs .venv, fetched models and spoken clips';
      return { text, figures: null, missed: [] };
    }
    return onRealEngines(house, 'fair-order-house', (live) => measure(live, clips));
  },
};

type Clips = Readonly<Record<Kind, Clip>>;

/** Null: the recordings are missing. */
function clipsOf(): Clips | null {
  const [question, command, long] = kinds.map((kind) => {
    const spoken = spokenCases.find(({ file }) => file === said[kind]);
    const [fromS, untilS] = spoken?.speech[0] ?? [0, 0];
    return spoken && { samples: spokenCase(said[kind]), fromMs: fromS * 1_000, untilMs: untilS * 1_000 };
  });
  return question && command && long ? { question, command, long } : null;
}

async function measure(live: Household, clips: Clips): Promise<Findings> {
  const watch = await watchQueues(live.redisUrl);
  const clients = Array.from({ length: speakers }, (_, nth) => `speaker-${nth}`);
  try {
    const measured = await withSatellites({ url: live.api.url, clients }, async (satellites) => {
      const alone = await askAlone(live, satellites, clips);
      const all: Asked[] = [];
      for (let round = 0; round < rounds; round += 1)
        all.push(await askAll(live, satellites, { clips, round }));
      return { all, alone, spokenTurns: turnsOf(satellites) };
    });
    return report({ ...watch.news, ...measured });
  } finally {
    await watch.stop();
  }
}

/** The time until the first sound, in ms. */
interface FirstSound {
  kind: Kind;
  ms: number;
}

/** How long each waited, in ms, and the reasons for missing answers. */
interface Asked {
  first: readonly FirstSound[];
  typedMs: readonly number[];
  failures: readonly string[];
}

/** A single caller says each sentence as often as all speakers together do later. */
async function askAlone(
  { signal }: Household,
  [satellite]: readonly Satellite[],
  clips: Clips,
): Promise<FirstSound[]> {
  const found: FirstSound[] = [];
  for (let nth = 0; satellite && nth < speakers * rounds; nth += 1) {
    signal.throwIfAborted();
    await delay(restMs, undefined, { signal });
    found.push(
      await speak(satellite, clips, { kind: kindAt(nth), conversation: `alone-${nth}`, listenMs: 0 }),
    );
  }
  return found;
}

/** Each speaker says something else, and something else in the next round. */
const kindAt = (nth: number): Kind => kinds[nth % kinds.length] ?? 'long';

async function askAll(
  live: Household,
  satellites: readonly Satellite[],
  { clips, round }: { clips: Clips; round: number },
): Promise<Asked> {
  live.signal.throwIfAborted();
  await delay(restMs, undefined, { signal: live.signal });
  const typing = Array.from({ length: typists }, (_, nth) => type(live, `typist-${nth}-${round}`));
  const speaking = satellites.map((satellite, nth) =>
    speak(satellite, clips, { kind: kindAt(nth + round), conversation: `${nth}-${round}`, listenMs }),
  );
  const [written, spoken] = [await Promise.allSettled(typing), await Promise.allSettled(speaking)];
  return {
    first: answersOf(spoken),
    typedMs: answersOf(written),
    failures: [...written, ...spoken].flatMap((ended) =>
      ended.status === 'rejected' ? [`A question was not answered: ${ended.reason}`] : [],
    ),
  };
}

const answersOf = <Answer>(all: readonly PromiseSettledResult<Answer>[]) =>
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
async function speak(
  satellite: Satellite,
  clips: Clips,
  { kind, conversation, listenMs }: { kind: Kind; conversation: string; listenMs: number },
): Promise<FirstSound> {
  satellite.line.send({ type: 'session.update', session: { client: `speaker-${conversation}` } });
  try {
    return { kind, ms: (await satellite.ask(clips[kind], { listenMs })).firstSoundMs };
  } finally {
    await satellite.hush();
  }
}

/** Records the events of the think and speak queues, in the order of Redis. */
async function watchQueues(redisUrl: string) {
  const news: Record<'think' | 'speak', QueueNews[]> = { think: [], speak: [] };
  const redis = new Redis(redisUrl, patientRedis);
  const opened = (['think', 'speak'] as const).map((name) => {
    // It blocks on a copy of the connection.
    const events = new QueueEvents(name, {
      connection: redis,
      prefix: queuePrefix,
      // Shorter than the socket timeout of the connection.
      blockingTimeout: queueRules.blockS * 1_000,
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
      redis.disconnect();
    },
  };
}

interface Seen {
  think: readonly QueueNews[];
  speak: readonly QueueNews[];
  /** The ids that satellites know. A turn that continues the previous sentence has a number as suffix. */
  spokenTurns: ReadonlySet<string>;
  all: readonly Asked[];
  alone: readonly FirstSound[];
}

/** The first sound of each kind of sentence, for a single caller and for all of them at once. */
function comparedWith(alone: readonly FirstSound[], together: readonly FirstSound[]) {
  const of = (all: readonly FirstSound[], kind: Kind) =>
    summary(all.filter((each) => each.kind === kind).map(({ ms }) => ms));
  return kinds.map((kind) => {
    const [single, many] = [of(alone, kind), of(together, kind)];
    return { kind, single, many, later: many.p95Ms / single.p95Ms };
  });
}

function report({ think, speak, spokenTurns, all, alone }: Seen): Findings {
  const isSpoken = (turn: string) => spokenTurns.has(turn.replace(/\.\d+$/, ''));
  const rankOfTurn: Rank = (job) => (isSpoken(job) ? 0 : 1);
  // A separate sentence, such as a filler, has no number and goes first, too.
  const rankOfSentence: Rank = (job) => (/-[1-9]\d{0,3}$/.test(job) ? 1 : 0);
  const orders = [
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
  const rows = orders.flatMap(({ what, first, last, overtaken, waits }) =>
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
  const compared = comparedWith(
    alone,
    all.flatMap(({ first }) => first),
  );
  const written = summary(all.flatMap(({ typedMs }) => typedMs));
  return {
    text: `${speakers} speakers and ${typists} typists, all at once, real engines, ${rounds} times
${table([['order in the queue', 'jobs', 'median wait', 'longest', 'overtaken'], ...rows])}

${table([
  ['first sound', 'alone', 'p95', 'all at once', 'p95', 'p95 later by'],
  ...compared.map(({ kind, single, many, later }) => [
    kind,
    ms(single.medianMs),
    ms(single.p95Ms),
    ms(many.medianMs),
    ms(many.p95Ms),
    `x ${later.toFixed(2)}`,
  ]),
])}
Typed answers whole: median ${ms(written.medianMs)}, longest ${ms(written.maxMs)}`,
    figures: {
      kinds: orders.map(({ what, overtaken, waits }) => ({
        what,
        overtaken,
        waits: [...waits].map(([rank, each]) => ({ rank, ...summary(each.map((one) => roundTo(one, 1))) })),
      })),
      compared,
      written,
    },
    missed: [
      ...all.flatMap(({ failures }) => failures),
      ...compared
        .filter(({ later }) => !(later <= maxLater))
        .map(
          ({ kind, later }) =>
            `With eight callers the first sound of a ${kind} comes ${later.toFixed(2)} times as late (p95); the limit is ${maxLater}.`,
        ),
      ...orders
        .filter(({ overtaken }) => overtaken > 0)
        .map(({ what, overtaken }) => `${what}: violated ${overtaken} times.`),
      ...orders
        .filter(({ waits }) => !waits.has(0) || !waits.has(1))
        .map(({ what }) => `${what}: not tested, because no job waited.`),
    ],
  };
}
