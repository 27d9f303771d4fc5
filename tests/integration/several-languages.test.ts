import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { load } from 'js-yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DryRunResponder, Responder } from '../../api/src/respond/core/responder.ts';
import { createSeveralResponder } from '../../api/src/respond/several/several-responder.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { question, skillsOf } from '../support/skills.ts';

const lines = z.array(z.string());
const sentences = z
  .record(z.string(), z.object({ done: lines, whole: lines }))
  .parse(load(readFileSync(new URL('../sentences/several-languages.yaml', import.meta.url), 'utf8')));

/** Nothing is missing in a house without devices. */
const nothing: DryRunResponder = {
  name: 'not-connected',
  respond: async () => null,
  dryRun: async () => null,
};

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

describe.each(Object.entries(sentences))('in the language %s', (tag, { done, whole }) => {
  let several: Responder;

  beforeAll(() => {
    const { responder, grammar, files, pendingQuestions } = skillsOf(tag, redis);
    several = createSeveralResponder({
      files,
      readWords: grammar.readWords,
      skills: responder,
      sentences: null,
      notConnected: nothing,
      responders: [responder],
      pendingQuestions,
    });
  });
  const say = async (text: string) => (await several.respond(question(text)))?.text ?? null;

  test.each(done.map((line) => line.split(' => ')))('both requests run: %s', async (text, reply) => {
    expect(await say(text ?? '')).toBe(reply);
  });

  test.each(whole)('there is only one request in: %s', async (text) => {
    expect(await say(text)).toBeNull();
  });
});
