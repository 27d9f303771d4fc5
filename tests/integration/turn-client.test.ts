import { once } from 'node:events';
import { Writable } from 'node:stream';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../api/src/errors.ts';
import { openQueues } from '../../api/src/jobs/queues.ts';
import { createLog } from '../../api/src/log.ts';
import { connectRedis } from '../../api/src/redis/redis.ts';
import { watchWrites } from '../../api/src/redis/redis-writes.ts';
import { createSoundTransport } from '../../api/src/sound-transport/sound-transport.ts';
import { createNextStages } from '../../api/src/stages/next-stages.ts';
import { watchPresence } from '../../api/src/status/worker-presence.ts';
import { createWorkerRegistry } from '../../api/src/status/worker-registry.ts';
import { createTurnInbox } from '../../api/src/turn/turn-events.ts';
import { createTurnLog } from '../../api/src/turn/turn-log.ts';
import { createTurnStore } from '../../api/src/turn/turn-store.ts';
import {
  createSentenceSynthesis,
  type SynthesizeSentence,
} from '../../api/src/turn-client/sentence-synthesis.ts';
import { createTurnClient, type NewTurn } from '../../api/src/turn-client/turn-client.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let server: OwnRedis;
let store: Redis;
let api: ReturnType<typeof startApi>;

beforeAll(async () => {
  server = await startRedis();
  store = await connectTo(server.url);
});
beforeEach(async () => {
  await store.flushall();
  api = startApi();
  await waitFor(() => api.inbox.ready, { what: 'news of turns can arrive' });
  return () => api.close();
});
afterAll(async () => {
  store?.disconnect();
  await server?.stop();
});

/** The turn client of one api process, without a worker. Its parts can be replaced before a turn starts. */
function startApi() {
  const onError = () => undefined;
  const [redis, subscriber, soundSubscriber] = [0, 1, 2].map(() =>
    connectRedis({ url: server.url, onError }),
  );
  if (!redis || !subscriber || !soundSubscriber) throw new Error('no connections');
  const inbox = createTurnInbox({ subscriber, apiId: 'api', onBadEvent: onError });
  const parts = {
    turns: createTurnStore({ redis }),
    sounds: createSoundTransport({
      redis,
      subscriber: soundSubscriber,
      address: 'api',
      onBadPacket: onError,
    }),
    queues: openQueues({ redis, onError }),
    presence: watchPresence({ redis }),
    writes: watchWrites({ redis, log: createLog({ level: 'silent', process: 'api' }, new Writable()) }),
  };
  const options = () => ({
    ...parts,
    apiId: 'api',
    redis,
    inbox,
    revision: async () => 0,
    workers: createWorkerRegistry({ subscriber, presence: parts.presence, onBadEvent: onError }),
  });
  const synthesizeSentence: SynthesizeSentence = (sentence) => createSentenceSynthesis(options())(sentence);
  const turnClient = () =>
    createTurnClient({ ...options(), synthesizeSentence, log: createTurnLog({ redis }) });
  const close = () => {
    parts.writes.stop();
    parts.presence.stop();
    redis.disconnect();
    subscriber.disconnect();
    soundSubscriber.disconnect();
  };
  return { parts, redis, inbox, turnClient, synthesizeSentence, close };
}

const asked = (question: NewTurn['question']): NewTurn => ({
  id: crypto.randomUUID(),
  source: 'voice',
  conversation: null,
  room: null,
  question,
});
const sound = { sampleRateHz: 16_000, samples: Buffer.alloc(3_200) };

test('a Redis failure during a cut affects no other turn', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => void unhandled.push(error);
  process.on('unhandledRejection', note);
  const { turns } = api.parts;
  const gone = once(api.redis, 'close');
  api.parts.turns = {
    ...turns,
    async cut(turn, playedText) {
      const isCut = await turns.cut(turn, playedText);
      api.redis.disconnect();
      return isCut;
    },
  };
  const turn = await api.turnClient().startTurn(asked({ text: 'Tell me a story.' }));

  turn.cancel('Once upon');

  await expect(turn.spoken).rejects.toMatchObject({ code: 'turn_cancelled' });
  await gone;
  await nextRound();
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('a turn that Redis may have lost at its start ends at once', async () => {
  const { turns } = api.parts;
  api.parts.turns = {
    ...turns,
    async admit(turn, maxWaiting) {
      const isAdmitted = await turns.admit(turn, maxWaiting);
      await store.client('KILL', 'TYPE', 'PUBSUB');
      await waitFor(() => !api.inbox.ready, { what: 'the connection breaks' });
      await waitFor(() => api.inbox.ready, { what: 'news can arrive again' });
      return isAdmitted;
    },
  };

  const turn = await api.turnClient().startTurn(asked({ text: 'Lost?' }));

  await expect(turn.reply).rejects.toMatchObject({ code: 'redis_unavailable' });
});

test('a question beyond the limit leaves no waiting entry', async () => {
  api.parts.turns = { ...api.parts.turns, admit: async () => false };

  await expect(api.turnClient().startTurn(asked({ text: 'Me too?' }))).rejects.toMatchObject({
    code: 'overloaded',
  });

  await waitFor(() => api.inbox.open === 0, { what: 'nobody waits' });
});

test('a recording that does not fit uses no space', async () => {
  api.parts.sounds = {
    ...api.parts.sounds,
    keep: () => {
      throw new AppError('overloaded');
    },
  };

  const failed = api
    .turnClient()
    .startTurn(asked({ sound }))
    .then((turn) => turn.reply);

  await expect(failed).rejects.toMatchObject({ code: 'overloaded' });
  await waitFor(async () => (await store.zcard('hearth:waiting-turns:stt')) === 0, {
    what: 'its place is free',
  });
  expect(api.inbox.open).toBe(0);
});

test('a turn that is cancelled before its start leaves no waiting entry', async () => {
  const said = await api.synthesizeSentence({ text: 'One moment.', signal: AbortSignal.abort() });

  expect(said).toBeNull();
});

test('a question that was handed on survives the worker that did it', async () => {
  const { redis, parts } = api;
  const { turns, queues, presence } = parts;
  const worker = await connectTo(server.url);
  await worker.subscribe('hearth:worker:first');
  presence.follow('first');
  await redis.ping(); // The probe was answered before.
  const question = asked({ text: 'Handed on?' });
  const { reply } = await api.turnClient().startTurn(question);
  const turn = await turns.read(question.id);
  if (!turn) throw new Error('there is no turn');
  await turns.take(turn.id, 'respond', 'first');
  await createNextStages({ redis, queues, turns }).think(turn);

  worker.disconnect();
  await waitFor(() => presence.hasLeft('first'), { what: 'its end is known' });
  const knownAt = performance.now();
  await waitFor(() => performance.now() - knownAt > 1_000, { what: 'the turn was looked at' });
  await turns.take(turn.id, 'think', 'second');
  const told = { text: 'Yes.', heard: null, via: 'llm', finish: 'stop', usage: null } as const;
  const answer = { ...told, timings: {}, sentences: 0 };
  await turns.finish(turn, { reply: answer, exchange: null, promptFrom: 0 });

  expect(await reply).toMatchObject(told);
});
