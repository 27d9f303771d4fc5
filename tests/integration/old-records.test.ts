import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { answered, englishSkills, question } from '../support/skills.ts';

/** Records of the previous version, word for word, as Redis has them after an update or a restored backup. */
const old = {
  put: String.raw`{"turn":"before","at":1795274400000,"kind":"list.put","about":{"key":"shopping","name":"shopping"},"values":["milk","1795274400000000\tmilk","eggs","1795274400000001\teggs"]}`,
  taken: String.raw`{"turn":"before","at":1795274400000,"kind":"list.remove","about":{"key":"camping","name":"camping"},"values":["tent","1795274300000000\ttent","","camping"]}`,
  cancelled: String.raw`{"turn":"before","at":1795274400000,"kind":"timer.cancel","about":{},"values":["7d1f","{\"id\":\"7d1f\",\"kind\":\"timer\",\"label\":\"pasta\",\"room\":\"kitchen\",\"client\":\"kitchen\",\"setAt\":1795274400000,\"dueAt\":1795275300000,\"durationMs\":900000,\"state\":\"running\",\"revision\":1,\"ringingAt\":null,\"heardAt\":null}",""]}`,
  unreadable:
    '{"turn":"before","at":1795274400000,"kind":"list.put","about":{"key":"shopping"},"values":["milk"]}',
  ofALaterVersion: '{"turn":"later","at":1795274400000,"kind":"list.shuffle","list":{"key":"shopping"}}',
};

let server: OwnRedis;
let redis: Redis;
let skills: ReturnType<typeof englishSkills>;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
  skills = englishSkills(redis);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const done = (record: string) => redis.lpush('hearth:conversation:kitchen:actions', record);
const say = (text: string) => answered(skills.responder, text);
const itemsOf = async (list: string) => (await skills.lists.read(list)).map(({ text }) => text);

test('an item of the previous version is read and removed', async () => {
  await redis.hset('hearth:list:shopping', {
    milk: '1795274400000000\tmilk',
    eggs: '1795274400000001\teggs',
  });
  await done(old.put);

  const [told, undone] = [await say('what did you do'), await say('undo that')];

  expect([told, undone]).toEqual([
    'I added milk and eggs to the shopping list.',
    'I took milk and eggs off the shopping list again.',
  ]);
  expect(await itemsOf('shopping')).toEqual([]);
});

test('a list deleted by the previous version is restored with all of its items', async () => {
  await done(old.taken);

  await say('undo that');

  expect(await itemsOf('camping')).toEqual(['tent']);
  expect(await skills.lists.names()).toEqual([{ key: 'camping', name: 'camping' }]);
});

test('a timer cancelled by the previous version runs again', async () => {
  await done(old.cancelled);

  await say('undo that');

  expect(await skills.timers.all()).toMatchObject([
    { id: '7d1f', label: 'pasta', state: 'running', revision: 2 },
  ]);
});

test('an action of the previous version is undone once, however often its job runs', async () => {
  await redis.hset('hearth:list:shopping', {
    milk: '1795274400000000\tmilk',
    eggs: '1795274400000001\teggs',
  });
  await done(old.put);
  const asked = question('undo that');

  await skills.responder.respond(asked);
  await redis.hset('hearth:list:shopping', { milk: '1795274400000000\tmilk' });
  await skills.responder.respond(asked);

  expect(await itemsOf('shopping')).toEqual(['milk']);
});

test.each([old.unreadable, old.ofALaterVersion])(
  'an unreadable record leaves nothing to undo: %s',
  async (record) => {
    await say('add bread to the shopping list');
    await done(record);

    const [told, undone] = [await say('what did you do'), await say('undo that')];

    expect([told, undone]).toEqual(['I have not done anything lately.', 'There is nothing to undo.']);
    expect(await itemsOf('shopping')).toEqual(['bread']);
  },
);

test.each([
  [
    'yes',
    '{"kind":"list.clear","about":{"key":"shopping","name":"shopping","items":"[]"},"at":1795274400000}',
  ],
  [
    'no',
    '{"kind":"list.clear","about":{"key":"shopping","name":"shopping","items":"[]"},"at":1795274400000}',
  ],
  [
    'the second one',
    '{"kind":"timer.which","about":{"how":"cancel","ms":"0","ids":"7d1f 8e2a"},"at":1795274400000}',
  ],
  ['ten minutes', '{"kind":"timer.how_long","about":{"label":""},"at":1795274400000}'],
])('a question of the previous version does not accept "%s", and breaks nothing', async (answer, record) => {
  await redis.set('hearth:asked:before', record);
  const exchanges = [{ user: 'do it', assistant: 'Shall I?', turn: 'before' }];

  const asked = question(answer, { createdAt: 1795274401000 }, exchanges);

  expect(await skills.responder.respond(asked)).toBeNull();
});
