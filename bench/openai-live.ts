import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type Segment, segmentsOf } from '../console/src/views/activity/segments.ts';
import { type SpokenCase, spokenCase, spokenCases } from '../tests/support/audio/spoken-clips.ts';
import { connectRealtime, type RealtimeClient } from '../tests/support/clients/realtime-client.ts';
import { waitFor } from '../tests/support/wait-for.ts';
import type { Household } from './household.ts';
import { median, summary } from './measure.ts';
import { type Satellite, withSatellite } from './satellite.ts';
import { segmentsText, turnRecord } from './turn-segments.ts';

/** Questions for a model, of at most this length. */
const longestMs = 3_000;
const maxQuestions = 12;
/** After a shorter break the server would take the speech as a continuation, and wait for more. */
const restMs = 1_500;
/** Longer than any turn lasts: by then every caller has an answer or an error. */
const maxWaitMs = 65_000;
/** People who speak at the same moment. */
const atOnce = 20;

const untilMs = ({ speech }: SpokenCase) => (speech.at(-1)?.[1] ?? 0) * 1_000;
const soundOf = (said: SpokenCase) => ({
  sampleRateHz: 16_000,
  samples: spokenCase(said.file).subarray(0, (untilMs(said) + 100) * 32),
});
const questions = spokenCases
  .filter(({ text }) => text !== '' && text !== 'stop')
  .filter((said) => untilMs(said) <= longestMs)
  .slice(0, maxQuestions);

interface Answered {
  turnId: string;
  firstMs: number;
}
interface Compared {
  said: SpokenCase;
  listen: Answered;
  realtime: Answered;
}

/**
 * The same questions on `/listen` and on `/v1/realtime`, one after the other, in changing order. Both
 * connections have the same history. Known pauses make answers sooner, answers depend on the conversation,
 * and a worker caches its speech.
 */
export async function conversations(house: Household) {
  const { api, signal } = house;
  const pairs: Compared[] = [];
  const client = await connectRealtime(api.url);
  try {
    await withSatellite({ url: api.url, client: 'beside-realtime' }, async (satellite) => {
      const ways = {
        realtime: (said: SpokenCase) => firstDelta(client, said),
        listen: (said: SpokenCase) => firstSound(satellite, said),
      };
      const ask = async (way: keyof typeof ways, said: SpokenCase): Promise<Answered> => {
        signal.throwIfAborted();
        await delay(restMs);
        return ways[way](said);
      };
      for (const [at, said] of questions.entries()) {
        await ask('listen', said);
        await ask('realtime', said);
        const first = at % 2 === 0 ? 'listen' : 'realtime';
        const second = at % 2 === 0 ? 'realtime' : 'listen';
        const one = await ask(first, said);
        const other = await ask(second, said);
        pairs.push({
          said,
          ...(at % 2 === 0 ? { listen: one, realtime: other } : { listen: other, realtime: one }),
        });
      }
    });
  } finally {
    await client.leave();
  }
  return {
    realtime: summary(pairs.map(({ realtime }) => realtime.firstMs)),
    listen: summary(pairs.map(({ listen }) => listen.firstMs)),
    moreMs: median(pairs.map(({ realtime, listen }) => realtime.firstMs - listen.firstMs)),
    turns: await Promise.all(pairs.map((pair) => compared(house, pair))),
  };
}

/** The time segments of both. */
async function compared(house: Household, { said, listen, realtime }: Compared) {
  const segments = async ({ turnId }: Answered): Promise<Segment[]> => {
    const record = await turnRecord(house, turnId);
    return record === null ? [] : segmentsOf(record);
  };
  return {
    file: said.file,
    listenMs: listen.firstMs,
    realtimeMs: realtime.firstMs,
    listen: await segments(listen),
    realtime: await segments(realtime),
  };
}

/** The question with the median difference, with both answers. */
export function middleText(turns: Awaited<ReturnType<typeof conversations>>['turns']): string {
  const sorted = turns.toSorted(
    (one, other) => one.realtimeMs - one.listenMs - (other.realtimeMs - other.listenMs),
  );
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) return '';
  return [
    segmentsText(`${middle.file} by /listen`, middle.listen),
    segmentsText(`${middle.file} by realtime`, middle.realtime),
  ].join('\n');
}

const createdSchema = z.object({ response: z.object({ id: z.string() }) });

async function firstDelta(client: RealtimeClient, said: SpokenCase): Promise<Answered> {
  const spoken = await client.say(soundOf(said));
  const endedAtMs = spoken.sentAtMs(untilMs(said) - 1);
  const after = (type: string) => client.all(type).find(({ atMs }) => atMs > endedAtMs) ?? (false as const);
  const delta = await waitFor(() => after('response.output_audio.delta'), {
    what: `an answer to ${said.file}`,
    withinMs: maxWaitMs,
  });
  // It may be over by now, which is fine.
  client.send({ type: 'response.cancel' });
  await waitFor(() => after('response.done'), {
    what: `the end of the answer to ${said.file}`,
    withinMs: maxWaitMs,
  });
  const created = client.all('response.created').findLast(({ atMs }) => atMs <= delta.atMs);
  const { id } = createdSchema.parse(created).response;
  return { turnId: id.replace('resp_', ''), firstMs: delta.atMs - endedAtMs };
}

async function firstSound(satellite: Satellite, said: SpokenCase): Promise<Answered> {
  const { firstSoundMs, done } = await satellite.ask({
    ...soundOf(said),
    fromMs: 0,
    untilMs: untilMs(said),
  });
  return { turnId: done.turn_id, firstMs: firstSoundMs };
}

/**
 * This many connections, each with a question at the same moment. Every caller must get an answer or an
 * error.
 */
export async function conversationsAtOnce(url: string) {
  const clients = await Promise.all(Array.from({ length: atOnce }, () => connectRealtime(url)));
  try {
    const ends = await Promise.all(
      clients.map((client, at) => endOf(client, questions[at % questions.length])),
    );
    const completed = ends.filter(({ status }) => status === 'completed');
    return {
      atOnce,
      times: summary(completed.flatMap(({ firstMs }) => firstMs ?? [])),
      answered: completed.length,
      told: ends.filter(({ status }) => status !== 'completed' && status !== 'lost').length,
      lost: ends.filter(({ status }) => status === 'lost').length,
      ends,
    };
  } finally {
    await Promise.all(clients.map((client) => client.leave()));
  }
}

const doneSchema = z.object({ response: z.object({ status: z.string(), status_details: z.unknown() }) });

async function endOf(client: RealtimeClient, said: SpokenCase | undefined) {
  if (!said) throw new Error('there is no clip to ask');
  const spoken = await client.say(soundOf(said));
  const endedAtMs = spoken.sentAtMs(untilMs(said) - 1);
  const end = await waitFor(
    () => client.all('response.done')[0] ?? client.all('error')[0] ?? client.end() ?? false,
    {
      what: `an answer to ${said.file}`,
      withinMs: maxWaitMs,
    },
  ).catch(() => null);
  const file = said.file;
  if (end === null) return { file, status: 'lost', firstMs: null, events: client.types() };
  if (typeof end === 'string') return { file, status: `closed: ${end}`, firstMs: null };
  if (end.type === 'error') return { file, status: JSON.stringify(end['error']), firstMs: null };
  const { status, status_details: why } = doneSchema.parse(end).response;
  const delta = client.all('response.output_audio.delta')[0];
  const firstMs = delta === undefined ? null : delta.atMs - endedAtMs;
  return { file, status, why, firstMs };
}
