import { createParser } from 'eventsource-parser';
import { Agent, request } from 'undici';
import { z } from 'zod';
import { loadLanguage } from '../api/src/language/language.ts';
import { promptHead, promptOf } from '../api/src/respond/model/prompt.ts';
import type { Household } from './household.ts';
import { alternate, median, roundTo, summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';
import { cpuMs } from './processes.ts';
import { agesMs } from './token-clock.ts';

const { prompt } = loadLanguage({ folder: new URL('../api/languages/en/', import.meta.url) });

export const question = 'Tell me a story.';

/**
 * Targets: the maximum that the first words may take over a direct call of the same engine. Of many
 * concurrent streams, none may fall behind.
 */
const promise = { firstRatio: 1.1, streams: 32, perSecond: 50 };
/** A stream has fallen behind if its last token came a token's time later than its first ones. */
const behindMs = 1_000 / promise.perSecond;

const first = { firstMs: 200, tokens: 50, perSecond: promise.perSecond, rounds: 12 };
const together = { counts: [1, 8, 32], firstMs: 100, tokens: 150, perSecond: promise.perSecond };
const full = { tokens: 1_200, rounds: 5 };

/** One streamed answer, seen from outside. */
export interface Seen {
  firstMs: number;
  totalMs: number;
  /** Time in transit of each token. */
  lagsMs: number[];
}

/** The time that Hearth adds to a streamed answer of the same engine. */
export const chatPart: Part = {
  name: 'chat',
  async run(house) {
    const agent = new Agent({ connections: 64, pipelining: 1, keepAliveTimeout: 60_000 });
    const follow = {
      engine: () => followStream(house.chatUrls.engine, engineBody, agent),
      hearth: () => followStream(house.chatUrls.hearth, hearthBody, agent),
    };
    try {
      const firsts = await measureFirst(house, follow);
      const streams = [];
      for (const count of together.counts) streams.push(await measureTogether(house, follow, count));
      return report({ firsts, streams, speed: await measureFull(house, follow) });
    } finally {
      await agent.close();
    }
  },
};

type Follow = Record<'engine' | 'hearth', () => Promise<Seen>>;

export const hearthBody = {
  model: 'assistant',
  messages: [{ role: 'user', content: question }],
  stream: true,
};
/** The same bytes as the worker sends. */
const engineBody = engineBodyOf(`(It is Monday 1 January 2029, 12:00.) ${question}`);

export function engineBodyOf(message: string) {
  const messages = promptOf({ head: promptHead(prompt), exchanges: [], newest: message });
  return { model: 'local', messages, temperature: 0, stream: true, stream_options: { include_usage: true } };
}

const chunkSchema = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }) })),
});

/** Asks and reads to the end. */
export async function followStream(url: string, body: object, dispatcher: Agent): Promise<Seen> {
  const begunAt = performance.now();
  const lagsMs: number[] = [];
  let firstMs: number | undefined;
  let isWhole = false;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data === '[DONE]') isWhole = true;
      else {
        const content = chunkSchema.parse(JSON.parse(data)).choices[0]?.delta.content;
        if (!content) return;
        firstMs ??= performance.now() - begunAt;
        lagsMs.push(...agesMs(content));
      }
    },
  });
  const headers = { 'content-type': 'application/json' };
  const answer = await request(url, { dispatcher, method: 'POST', headers, body: JSON.stringify(body) });
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) parser.feed(decoder.decode(bytes, { stream: true }));
  if (!isWhole || firstMs === undefined)
    throw new Error(`${url} answered ${answer.statusCode}, not a stream`);
  return { firstMs, totalMs: performance.now() - begunAt, lagsMs };
}

/** One caller: first words and the whole answer, directly and through Hearth. */
async function measureFirst(house: Household, follow: Follow) {
  await house.setEngineStream(first);
  const seen = { engine: [] as Seen[], hearth: [] as Seen[] };
  const way = (whose: keyof Follow) => async () => void seen[whose].push(await follow[whose]());
  await follow.hearth(); // The first stream of a process compiles its code.
  await alternate([way('engine'), way('hearth')], { callers: 1, rounds: first.rounds, callsInRow: 1 });
  const of = (whose: keyof Follow) => ({
    first: summary(seen[whose].map(({ firstMs }) => firstMs)),
    total: summary(seen[whose].map(({ totalMs }) => totalMs)),
  });
  return { engine: of('engine'), hearth: of('hearth') };
}

/** This many concurrent streams, directly and through Hearth. */
async function measureTogether(house: Household, follow: Follow, count: number) {
  await house.setEngineStream(together);
  const all = (whose: keyof Follow) => Promise.all(Array.from({ length: count }, () => follow[whose]()));
  const direct = await all('engine');
  const before = await cpuOf(house);
  const through = await all('hearth');
  const after = await cpuOf(house);
  const seconds = median(through.map(({ totalMs }) => totalMs)) / 1_000;
  return {
    count,
    direct: lagsOf(direct),
    through: lagsOf(through),
    /** Percent of one core, of both our processes together. */
    cpuPercentPerStream: before !== null && after !== null ? (after - before) / 10 / seconds / count : null,
  };
}

function lagsOf(streams: readonly Seen[]) {
  const lags = summary(streams.flatMap(({ lagsMs }) => lagsMs));
  const drifts = streams.map(({ lagsMs }) => median(lagsMs.slice(-20)) - median(lagsMs.slice(0, 20)));
  return { ...lags, driftMs: Math.max(...drifts), firstMs: median(streams.map(({ firstMs }) => firstMs)) };
}

async function cpuOf(house: Household): Promise<number | null> {
  const [api, worker] = [await cpuMs(house.api.child), await cpuMs(house.worker)];
  return api === null || worker === null ? null : api + worker;
}

/** One stream at full speed. */
async function measureFull(house: Household, follow: Follow) {
  await house.setEngineStream({ firstMs: 0, tokens: full.tokens, perSecond: 0 });
  const perSecond = async (whose: keyof Follow) => {
    const speeds: number[] = [];
    for (let round = 0; round < full.rounds; round += 1) {
      const { lagsMs, totalMs } = await follow[whose]();
      speeds.push((1_000 * lagsMs.length) / totalMs);
    }
    return median(speeds);
  };
  return { direct: await perSecond('engine'), hearth: await perSecond('hearth') };
}

interface Measured {
  firsts: Awaited<ReturnType<typeof measureFirst>>;
  streams: Awaited<ReturnType<typeof measureTogether>>[];
  speed: Awaited<ReturnType<typeof measureFull>>;
}

function report({ firsts, streams, speed }: Measured): Findings {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const { engine, hearth } = firsts;
  const ratio = hearth.first.medianMs / engine.first.medianMs;
  const totalRatio = hearth.total.medianMs / engine.total.medianMs;
  const times = [
    ['one stream', 'direct', 'through Hearth', 'ratio', 'extra'],
    ...(
      [
        ['first words', engine.first, hearth.first, ratio],
        ['whole answer', engine.total, hearth.total, totalRatio],
      ] as const
    ).map(([name, direct, through, r]) => [
      name,
      ms(direct.medianMs),
      ms(through.medianMs),
      r.toFixed(3),
      ms(through.medianMs - direct.medianMs),
    ]),
  ];
  const head = ['streams', 'direct lag median', 'p95', 'lag median', 'p95', 'worst', 'drift', 'CPU each'];
  const lags = streams.map(({ count, direct, through, cpuPercentPerStream: cpu }) => [
    String(count),
    ms(direct.medianMs),
    ms(direct.p95Ms),
    ms(through.medianMs),
    ms(through.p95Ms),
    ms(through.maxMs),
    ms(through.driftMs),
    cpu === null ? 'unknown' : `${cpu.toFixed(2)} %`,
  ]);
  const most = streams.find(({ count }) => count === promise.streams)?.through.driftMs ?? Number.NaN;
  const missed = [
    ...(ratio <= promise.firstRatio
      ? []
      : [`First words over a direct call: ${ratio.toFixed(3)}; the limit is ${promise.firstRatio}.`]),
    ...(most <= behindMs
      ? []
      : [
          `One of ${promise.streams} streams fell ${most.toFixed(0)} ms behind; the limit is ${behindMs} ms.`,
        ]),
  ];
  return {
    text: [
      `Streamed chat, first words of the engine after ${first.firstMs} ms, ${promise.perSecond} tokens/s`,
      table(times),
      '',
      `Lag of each token behind the engine, all streams at once, ${together.tokens} tokens each`,
      table([head, ...lags]),
      `At full speed: ${speed.hearth.toFixed(0)} tokens/s, directly ${speed.direct.toFixed(0)}`,
      `Target: first words at most ${promise.firstRatio} of a direct call, no stream falls behind: ${missed.length === 0 ? 'reached' : 'MISSED'}`,
    ].join('\n'),
    figures: { firsts, ratio: roundTo(ratio, 4), totalRatio: roundTo(totalRatio, 4), streams, speed },
    missed,
  };
}
