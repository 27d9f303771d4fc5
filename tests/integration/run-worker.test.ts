import { once } from 'node:events';
import { Writable } from 'node:stream';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createConversationStore } from '../../api/src/conversations/conversation-store.ts';
import { AppError } from '../../api/src/errors.ts';
import { openQueues, queueRules } from '../../api/src/jobs/queues.ts';
import { createLog } from '../../api/src/log.ts';
import { createNextStages } from '../../api/src/stages/next-stages.ts';
import { runWorker, type Stages } from '../../api/src/stages/run-worker.ts';
import { createTranscribeJob } from '../../api/src/stages/transcribe-job.ts';
import type { Turn } from '../../api/src/turn/turn.ts';
import { cancelChannel } from '../../api/src/turn/turn-events.ts';
import { createTurnStore, type TurnStore } from '../../api/src/turn/turn-store.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { waitFor } from '../support/wait-for.ts';

let server: OwnRedis;
let redis: Redis;
let subscriber: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: 1 });
  await once(redis, 'ready');
  subscriber = await connectTo(server.url);
});
afterAll(async () => {
  redis?.disconnect();
  subscriber?.disconnect();
  await server?.stop();
});

const log = createLog({ level: 'silent', process: 'worker' }, new Writable());

const never = () => Promise.reject(new Error('This stage is not asked for.'));
const unused = {
  transcribe: never,
  respond: never,
  think: never,
  speak: never,
  transcribePartial: never,
  warm: never,
  call: never,
  ring: never,
};

/** A worker until the end of the test. */
function startWorker(turns: TurnStore, stages: Partial<Stages>): void {
  const [workerId, redisUrl] = ['w', server.url];
  const worker = runWorker({
    workerId,
    redisUrl,
    redis,
    subscriber,
    log,
    turns,
    conversations: createConversationStore({ redis }),
    stages: { ...unused, ...stages },
  });
  onTestFinished(() => worker.stop(0));
}

function newTurn(): Turn {
  const createdAt = Date.now();
  return {
    id: crypto.randomUUID(),
    source: 'ask',
    text: 'Never mind?',
    isSure: true,
    conversation: null,
    room: null,
    createdAt,
    deadlineAt: createdAt + 5_000,
    replyTo: 'nobody',
    streams: false,
    speaks: false,
    isTentative: false,
    revision: 0,
  };
}

/** A recording, as a worker took it. */
async function heldByAnother(turns: TurnStore): Promise<Turn> {
  const turn = { ...newTurn(), source: 'voice', text: null } as const;
  await turns.admit(turn, queueRules.maxWaiting);
  await turns.take(turn.id, 'transcribe', 'another');
  return turn;
}

const stateOf = ({ id }: Turn) => redis.hget(`hearth:turn:${id}`, 'state');

test('a recording that two workers have transcribed is still answered', async () => {
  const turns = createTurnStore({ redis });
  const queues = openQueues({ redis, onError: () => undefined });
  const turn = await heldByAnother(turns);
  const transcribe = createTranscribeJob({
    turns,
    sounds: { collect: async () => ({ sampleRateHz: 16_000, samples: Buffer.alloc(2) }) },
    // The first worker, which counted as dead, finishes before the second.
    transcriber: {
      transcribeSpeech: async () => {
        await turns.saveTranscript(turn, { text: 'Hello.', isSure: true, sttMs: 1 });
        await turns.take(turn.id, 'respond', 'another');
        return { text: 'Hello.', isSure: true };
      },
    },
    wordsForIt: never,
    isRemark: never,
    next: createNextStages({ redis, queues, turns }),
  });
  startWorker(turns, { transcribe });

  const job = await queues.transcribe.add('voice', { turnId: turn.id }, { jobId: turn.id });

  await waitFor(async () => (await job.getState()) === 'completed', { what: 'the second one is done' });
  expect(await stateOf(turn)).toBe('responding');
});

test('a recording whose worker died after transcription is passed on by the next', async () => {
  const turns = createTurnStore({ redis });
  const queues = openQueues({ redis, onError: () => undefined });
  const turn = await heldByAnother(turns);
  await turns.saveTranscript(turn, { text: 'Hello.', isSure: true, sttMs: 1 });
  const answered = Promise.withResolvers<string | null>();
  const transcribe = createTranscribeJob({
    turns,
    sounds: { collect: never },
    transcriber: { transcribeSpeech: never },
    wordsForIt: never,
    isRemark: never,
    next: createNextStages({ redis, queues, turns }),
  });
  const respond = async ({ text }: Turn) => answered.resolve(text);
  startWorker(turns, { transcribe, respond });

  await queues.transcribe.add('voice', { turnId: turn.id }, { jobId: turn.id });

  expect(await answered.promise).toBe('Hello.');
});

test('a finished turn never becomes certain', async () => {
  const turns = createTurnStore({ redis });
  const queues = openQueues({ redis, onError: () => undefined });
  const turn = newTurn();
  const acted = Promise.withResolvers<string>();
  const respond: Stages['respond'] = async (_turn, { signal, beginActing }) => {
    await redis.publish(cancelChannel, turn.id);
    if (!signal.aborted) await once(signal, 'abort');
    await beginActing().then(
      () => acted.resolve('acted'),
      (error) => acted.resolve(error.code),
    );
  };
  startWorker(turns, { respond });
  await turns.admit(turn, queueRules.maxWaiting);

  await queues.respond.add('ask', { turnId: turn.id }, { jobId: turn.id });

  expect(await acted.promise).toBe('turn_cancelled');
});

test('a turn that reads has not acted yet', async () => {
  const turns = createTurnStore({ redis });
  const queues = openQueues({ redis, onError: () => undefined });
  const [reading, acting] = [newTurn(), newTurn()];
  const isAsked = Promise.withResolvers<void>();
  startWorker(turns, {
    async respond({ id }, { untilConfirmed, beginActing, signal }) {
      await (id === reading.id ? untilConfirmed() : beginActing());
      if (id === acting.id) isAsked.resolve();
      await once(signal, 'abort');
    },
  });

  for (const turn of [reading, acting]) {
    await turns.admit(turn, queueRules.maxWaiting);
    await queues.respond.add('ask', { turnId: turn.id }, { jobId: turn.id });
  }
  await isAsked.promise;

  expect(await turns.withdraw(reading)).toEqual({ isWithdrawn: true, mayHaveActed: false });
  expect(await turns.withdraw(acting)).toEqual({ isWithdrawn: true, mayHaveActed: true });
  await redis.publish(cancelChannel, reading.id);
  await redis.publish(cancelChannel, acting.id);
});

test.each([
  { when: 'before', fails: 'cannot be taken' },
  { when: 'after', fails: 'is taken without an answer' },
])('a turn that $fails at the first attempt is not forgotten', async ({ when }) => {
  const turns = createTurnStore({ redis });
  const queues = openQueues({ redis, onError: () => undefined });
  const turn = newTurn();
  let attempts = 0;
  const take: TurnStore['take'] = async (...stage) => {
    attempts += 1;
    const away = new AppError('redis_unavailable');
    if (attempts === 1 && when === 'before') throw away;
    const taken = await turns.take(...stage);
    if (attempts === 1) throw away;
    return taken;
  };
  const answered = Promise.withResolvers<string | null>();
  startWorker({ ...turns, take }, { respond: async ({ text }) => answered.resolve(text) });
  await turns.admit(turn, queueRules.maxWaiting);

  await queues.respond.add('ask', { turnId: turn.id }, { jobId: turn.id, priority: 20 });

  expect(await answered.promise).toBe(turn.text);
});

test('a sentence that Redis did not accept is spoken once more', async () => {
  const queues = openQueues({ redis, onError: () => undefined });
  const spoken = Promise.withResolvers<number>();
  let attempts = 0;
  const speak: Stages['speak'] = async ({ seq }) => {
    attempts += 1;
    if (attempts === 1) throw new AppError('redis_unavailable');
    spoken.resolve(seq);
  };
  startWorker(createTurnStore({ redis }), { speak });
  const deadlineAt = Date.now() + 5_000;
  const sentence = { turnId: 'story', seq: 3, replyTo: 'nobody', deadlineAt, revision: 0 };

  await queues.speak.add('voice', sentence, { jobId: 'story-3', priority: 10 });

  expect(await spoken.promise).toBe(3);
});

test('a turn that is cancelled at its start ends', async () => {
  const turns = createTurnStore({ redis });
  const { respond: queue } = openQueues({ redis, onError: () => undefined });
  const turn = newTurn();
  const ended = Promise.withResolvers<string>();
  const worker = runWorker({
    workerId: 'w',
    redisUrl: server.url,
    redis,
    subscriber,
    log,
    turns: {
      ...turns,
      /** The caller hangs up after the turn has started and before the worker learns that. */
      take: async (id, stage, workerId) => {
        const taken = await turns.take(id, stage, workerId);
        const told = once(subscriber, 'message');
        await turns.cancel(turn);
        await redis.publish(cancelChannel, id);
        await told;
        return taken;
      },
    },
    conversations: createConversationStore({ redis }),
    stages: {
      ...unused,
      respond: async (_turn, { signal }) => {
        ended.resolve(signal.aborted ? 'ended' : 'went on');
      },
    },
  });
  await turns.admit(turn, queueRules.maxWaiting);

  await queue.add('ask', { turnId: turn.id }, { jobId: turn.id });

  expect(await ended.promise).toBe('ended');
  await worker.stop(0);
});
