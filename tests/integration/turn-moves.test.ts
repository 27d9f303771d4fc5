import { once } from 'node:events';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createPendingQuestions } from '../../api/src/actions/pending-questions.ts';
import { createConversationStore } from '../../api/src/conversations/conversation-store.ts';
import { AppError } from '../../api/src/errors.ts';
import type { Reply, Turn } from '../../api/src/turn/turn.ts';
import { createTurnStore } from '../../api/src/turn/turn-store.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let server: OwnRedis;
let redis: Redis;
let turns: ReturnType<typeof createTurnStore>;
let conversations: ReturnType<typeof createConversationStore>;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url, { maxRetriesPerRequest: 1 });
  await once(redis, 'ready');
  turns = createTurnStore({ redis });
  conversations = createConversationStore({ redis });
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

function newTurn(more: Partial<Turn> = {}): Turn {
  const createdAt = Date.now();
  return {
    id: crypto.randomUUID(),
    source: 'listen',
    text: 'Tell me a story.',
    isSure: true,
    conversation: 'kitchen',
    room: null,
    createdAt,
    deadlineAt: createdAt + 5_000,
    replyTo: 'api',
    streams: false,
    speaks: true,
    isTentative: false,
    revision: 0,
    ...more,
  };
}

function reply(sentences = 2): Reply {
  const text = 'Once upon a time. There was a cat.';
  return { text, heard: 'x', via: 'local', finish: 'stop', usage: null, timings: {}, sentences };
}

const exchange = { user: 'Tell me a story.', assistant: 'Once upon a time. There was a *cat*.' };
const codeOf = (error: unknown) => (error instanceof AppError ? error.code : String(error));
const finish = (turn: Turn, sentences = 2) =>
  turns.finish(turn, { reply: reply(sentences), exchange, promptFrom: 0 });
const state = (turn: Turn) => redis.hget(`hearth:turn:${turn.id}`, 'state');
const kept = async () => (await conversations.read('kitchen')).exchanges.map(({ assistant }) => assistant);
const speak = (turn: Turn, seq: number) =>
  turns.publishSpeech('api', { type: 'speech', turnId: turn.id, seq, text: '', hasSound: true, ttsMs: 1 });

async function begun(more: Partial<Turn> = {}): Promise<Turn> {
  const turn = newTurn(more);
  await turns.admit(turn, 64);
  await turns.take(turn.id, 'respond', 'w');
  await turns.noteQuestion(turn, { message: exchange.user, wordsFrom: 0, promptFrom: 0 });
  return turn;
}

describe('a spoken turn', () => {
  test('is done when its words are stored and its last sentence is spoken', async () => {
    const turn = await begun();

    await speak(turn, 0);
    await finish(turn);
    const between = await state(turn);
    await speak(turn, 1);

    expect([between, await state(turn), await kept()]).toEqual(['speaking', 'done', [exchange.assistant]]);
  });

  test('is done at once when all of it was spoken before its last word', async () => {
    const turn = await begun();

    await speak(turn, 1);
    await speak(turn, 0);
    await finish(turn);

    expect(await state(turn)).toBe('done');
  });

  test('counts a sentence once, even if two workers spoke it', async () => {
    const turn = await begun();
    await finish(turn);

    await speak(turn, 0);
    await speak(turn, 0);

    expect(await state(turn)).toBe('speaking');
  });
});

describe('a tentative turn', () => {
  test('stores nothing until it is confirmed', async () => {
    const turn = await begun({ isTentative: true });

    await finish(turn);
    const before = [await state(turn), await kept()];
    const confirmed = await turns.confirm(turn);

    expect(before).toEqual(['held', []]);
    expect([confirmed, await state(turn), await kept()]).toEqual([true, 'speaking', [exchange.assistant]]);
  });

  test('that was confirmed first is stored when its words arrive', async () => {
    const turn = await begun({ isTentative: true });

    const isCertain = [await turns.isConfirmed(turn.id)];
    await turns.confirm(turn);
    isCertain.push(await turns.isConfirmed(turn.id));
    await finish(turn);

    expect([isCertain, await kept()]).toEqual([[false, true], [exchange.assistant]]);
  });

  test('that was cancelled can be neither confirmed nor stored', async () => {
    const turn = await begun({ isTentative: true });
    await turns.cancel(turn);

    expect([await turns.confirm(turn), await finish(turn), await kept()]).toEqual([false, false, []]);
  });
});

describe('an interrupted reply', () => {
  test('is stored up to the played text while it is still written', async () => {
    const turn = await begun();

    await turns.cut(turn, 'Once upon a time.');

    expect([await finish(turn), await state(turn), await kept()]).toEqual([
      false,
      'cancelled',
      ['Once upon a time.'],
    ]);
  });

  test('stays an answer of our own when it is cut before its end', async () => {
    const turn = await begun();
    await turns.noteOurs(turn);

    await turns.cut(turn, 'I added');

    expect((await conversations.read('kitchen')).exchanges).toMatchObject([
      { assistant: 'I added', isOurs: true },
    ]);
  });

  test('keeps the whole of our own words, so that they can be repeated', async () => {
    const question = { ...exchange, assistant: 'The tea timer, or the pasta timer?', isOurs: true } as const;
    const turn = await begun();
    await turns.finish(turn, { reply: reply(), exchange: question, promptFrom: 0 });
    const found = async () => (await conversations.read('kitchen')).exchanges;

    await turns.cut(turn, 'The');
    const first = await found();
    await turns.cut(turn, 'The tea timer,');
    const later = await found();
    await turns.cut(turn, question.assistant);

    expect(first).toMatchObject([{ assistant: 'The', whole: question.assistant }]);
    expect(later).toMatchObject([{ assistant: 'The tea timer,', whole: question.assistant }]);
    expect((await found())[0]).not.toHaveProperty('whole');
  });

  test('is read with the questions that the last three turns asked', async () => {
    const asked = createPendingQuestions({ redis, schema: z.object({ kind: z.string() }) });
    const ids: string[] = [];
    for (const kind of ['first', 'second', '', 'last']) {
      const turn = await begun();
      ids.push(turn.id);
      if (kind !== '') await asked.note(turn, { kind });
      await finish(turn);
    }
    await redis.rpush('hearth:conversation:kitchen:exchanges', 'unreadable');
    await redis.hincrby('hearth:conversation:kitchen:meta', 'count', 1);

    const { exchanges } = await conversations.read('kitchen');

    expect(exchanges.map(({ turn }) => turn)).toEqual(ids);
    expect(exchanges.map(({ pendingQuestion }) => pendingQuestion)).toEqual([
      undefined,
      undefined,
      null,
      expect.stringContaining('last'),
    ]);
    // Also the question of a turn further back is found.
    const now = Date.now();
    const until = [1, 2, 3, 4].map((count) => asked.last(exchanges.slice(0, count), now));
    expect((await Promise.all(until)).map((question) => question?.kind)).toEqual([
      'first',
      'second',
      undefined,
      'last',
    ]);
  });

  test('keeps only the played words of a language model', async () => {
    const turn = await begun();
    await finish(turn);

    await turns.cut(turn, 'Once');

    expect((await conversations.read('kitchen')).exchanges[0]).not.toHaveProperty('whole');
  });

  test.each(['speaking', 'done'])('is shortened to the played text when it is %s', async (when) => {
    const turn = await begun();
    await finish(turn, when === 'done' ? 0 : 2);

    await turns.cut(turn, 'Once upon');

    expect([await state(turn), await kept()]).toEqual([
      when === 'done' ? 'done' : 'cancelled',
      ['Once upon'],
    ]);
  });

  test('without any playback leaves nothing behind', async () => {
    const before = await begun({ id: 'before' });
    await finish(before);
    const turn = await begun();
    await finish(turn);

    await turns.cut(turn, '');

    expect(await kept()).toEqual([exchange.assistant]);
    expect(await redis.hget('hearth:conversation:kitchen:meta', 'count')).toBe('1');
  });

  test('is stored as last reported', async () => {
    const turn = await begun();
    await finish(turn);

    await turns.cut(turn, '');
    await turns.cut(turn, 'Once');
    await turns.cut(turn, 'Once upon a time.');

    expect(await kept()).toEqual(['Once upon a time.']);
  });

  test('leaves nothing behind if nothing should be stored', async () => {
    const turn = await begun();
    await turns.finish(turn, { reply: reply(), exchange: null, promptFrom: 0 });

    await turns.cut(turn, 'I have forgotten');

    expect(await kept()).toEqual([]);
  });

  test('of a standalone turn stores nothing', async () => {
    const turn = await begun({ conversation: null });

    await turns.cut(turn, 'Once');

    expect([await state(turn), await redis.keys('hearth:conversation:*')]).toEqual(['cancelled', []]);
  });
});

/**
 * The number of turns that wait only for their place, for the speech recognition, and for the language model.
 */
const waiting = () =>
  Promise.all(
    ['waiting-turns', 'waiting-turns:stt', 'waiting-turns:llm'].map((key) => redis.zcard(`hearth:${key}`)),
  );

test('a turn waits in the queue of its kind', async () => {
  const turn = newTurn({ text: null });
  const steps = ['transcribe', 'hear', 'respond', 'awaitModel', 'think'] as const;

  await turns.admit(turn, 64);
  const seen = [await waiting()];
  for (const step of steps) {
    await happenings[step](turn);
    seen.push(await waiting());
  }

  expect(seen).toEqual([
    [0, 1, 0],
    [0, 1, 0],
    [1, 0, 0],
    [1, 0, 0],
    [0, 0, 1],
    [0, 0, 0],
  ]);
});

test('each queue has the same limit', async () => {
  const [spoken, typed] = [() => newTurn({ text: null }), () => newTurn()];
  const thinking = newTurn();
  await turns.admit(thinking, 1);
  await turns.take(thinking.id, 'respond', 'w');
  const second = newTurn();

  const admitted = [
    await turns.awaitModel(thinking, 1),
    await turns.admit(second, 1),
    (await turns.take(second.id, 'respond', 'w'))?.isBegun ?? false,
    await turns.awaitModel(second, 1),
    await turns.admit(typed(), 1),
    await turns.admit(spoken(), 1),
    await turns.admit(spoken(), 1),
  ];

  expect(admitted).toEqual([true, true, true, false, false, true, false]);
});

describe('while Redis is full', () => {
  afterEach(() => server.mend());

  test('no turn takes a place', async () => {
    const responding = await begun();
    await server.fill();

    const refused = [turns.admit(newTurn(), 64), turns.awaitModel(responding, 64)];
    const codes = await Promise.all(refused.map((move) => move.then(String, codeOf)));

    expect([codes, await waiting()]).toEqual([
      ['redis_full', 'redis_full'],
      [1, 0, 0],
    ]);
  });

  test.each(['fail', 'cancel', 'cut'] as const)('a turn releases its place: %s', async (end) => {
    const turn = await begun();
    await server.fill();

    await happenings[end](turn);

    expect([await state(turn), await waiting()]).toEqual([
      end === 'fail' ? 'failed' : 'cancelled',
      [0, 0, 0],
    ]);
  });
});

/** Events in the life of a turn, in any order. */
const happenings = {
  transcribe: (turn: Turn) => turns.take(turn.id, 'transcribe', 'w'),
  hear: (turn: Turn) => turns.saveTranscript(turn, { text: 'Hello.', isSure: true, sttMs: 1 }),
  respond: (turn: Turn) => turns.take(turn.id, 'respond', 'w'),
  awaitModel: (turn: Turn) => turns.awaitModel(turn, 64),
  think: (turn: Turn) => turns.take(turn.id, 'think', 'w'),
  finish: (turn: Turn) => finish(turn),
  confirm: (turn: Turn) => turns.confirm(turn),
  first: (turn: Turn) => speak(turn, 0),
  second: (turn: Turn) => speak(turn, 1),
  fail: (turn: Turn) => turns.fail(turn, new AppError('llm_timeout')),
  cancel: (turn: Turn) => turns.cancel(turn),
  cut: (turn: Turn) => turns.cut(turn, 'Once'),
} as const satisfies Record<string, (turn: Turn) => Promise<unknown>>;
const isHappening = (name: string): name is keyof typeof happenings => name in happenings;
const names = Object.keys(happenings).filter(isHappening);

/** Applies these events; a finished turn does not change. Returns the end, if one was reached. */
async function play(turn: Turn, order: readonly (keyof typeof happenings)[]): Promise<string | undefined> {
  let ended: string | undefined;
  for (const name of order) {
    await happenings[name](turn);
    const now = (await state(turn)) ?? '';
    expect(now).toBe(ended ?? now);
    if (['done', 'failed', 'cancelled'].includes(now)) ended = now;
  }
  return ended;
}

test('in any order of events, an end stays an end and an exchange is stored at most once', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...names), { maxLength: 14 }),
      fc.boolean(),
      fc.boolean(),
      async (order, isTentative, isSound) => {
        await redis.flushall();
        const turn = newTurn({ isTentative, text: isSound ? null : 'Tell me a story.' });
        await turns.admit(turn, 64);
        const ended = await play(turn, order);
        const exchanges = await kept();
        expect(exchanges.length).toBeLessThanOrEqual(1);
        if (ended === 'failed' || !order.some((name) => name === 'finish' || name === 'cut'))
          expect(exchanges).toEqual([]);
        if (isTentative && !order.includes('confirm') && !order.includes('cut'))
          expect(exchanges).toEqual([]);
        if (ended !== undefined) expect(await waiting()).toEqual([0, 0, 0]);
      },
    ),
    { numRuns: 300 },
  );
});
