import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import { createJokeFollowUps } from '../../api/src/respond/skills/jokes-skill.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { question, skillsOf } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

/** A conversation with the skills of a language. */
function openConversation(tag: string, skills = skillsOf(tag, redis)) {
  const followUps = createJokeFollowUps({ ...skills, told: skills.toldJokes, skills: skills.responder });
  const exchanges: Exchange[] = [];
  return {
    /** How the sentence is understood, and the answer. Null: the skills pass it on. */
    async say(text: string, laterMs = 0) {
      const asked = question(text, {}, [...exchanges]);
      const turn = { ...asked.turn, createdAt: asked.turn.createdAt + laterMs };
      const more = await followUps.respond({ ...asked, turn });
      const answer = more ?? (await skills.responder.respond({ ...asked, turn }));
      exchanges.push({ user: text, assistant: answer?.text ?? '', turn: turn.id, at: turn.createdAt });
      const found = skills.responder.understood(answer?.readAs ?? text);
      return answer && { rule: `${found?.skill}.${found?.intent}`, text: answer.text };
    },
  };
}

describe.each([
  ['en', 'Tell me a joke', ['Another one.', 'One more please', 'tell me another']],
  ['de', 'Erzähl mir einen Witz', ['Noch einen', 'Kennst du noch einen?', 'Erzähl noch einen']],
  ['es', 'Cuéntame un chiste', ['Otro', 'Otro más, por favor', '¿Te sabes otro?']],
  ['fr', 'Raconte-moi une blague', ['Encore une', "Raconte-m'en une autre", "Tu en connais d'autres ?"]],
  ['it', 'Raccontami una barzelletta', ["Un'altra", "Raccontamene un'altra", "Ne sai un'altra?"]],
  ['nl', 'Vertel me een mop', ['Nog een', 'Vertel er nog een', 'Ken je er nog een?']],
])('in the language %s', (tag, request, another) => {
  test('each follow-up tells a new joke', async () => {
    const { say } = openConversation(tag);
    const answers = [await say(request)];
    for (const text of another) answers.push(await say(text));

    expect(answers.map((answer) => answer?.rule)).toEqual(answers.map(() => 'jokes.tell'));
    expect(new Set(answers.map((answer) => answer?.text)).size).toBe(answers.length);
  });

  test('a follow-up without a joke before it tells none', async () => {
    const { say } = openConversation(tag);

    for (const text of another) expect((await say(text))?.rule).not.toBe('jokes.tell');
  });
});

test('a household hears most jokes before it hears one again, in any conversation', async () => {
  const skills = skillsOf('en', redis);
  const told: unknown[] = [];
  for (let at = 0; at < 22; at += 1)
    told.push((await openConversation('en', skills).say('Tell me a joke'))?.text);

  expect(new Set(told).size).toBe(22);
});

test('"another one" is a joke only right after one', async () => {
  const { say } = openConversation('en');
  await say('Set a timer for five minutes');
  await say('Tell me a joke');

  expect((await say('Another one'))?.rule).toBe('jokes.tell');
  expect((await say('Flip a coin'))?.rule).toBe('chance.flip');
  expect((await say('Another one'))?.rule).not.toBe('jokes.tell');
});

test('"another one" is no joke after a pause', async () => {
  const { say } = openConversation('en');
  await say('Tell me a joke');

  expect(await say('Another one', 10 * 60_000)).toBeNull();
});

test('the store keeps the last 100 jokes', async () => {
  const { toldJokes } = skillsOf('en', redis);
  for (let at = 0; at < 105; at += 1) await toldJokes.add({ turn: `${at}`, joke: `joke ${at}` });
  const told = await toldJokes.all();

  expect([told.length, told[0], told.at(-1)]).toEqual([
    100,
    { turn: '104', joke: 'joke 104' },
    { turn: '5', joke: 'joke 5' },
  ]);
});
