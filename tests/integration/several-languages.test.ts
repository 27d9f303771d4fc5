import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { load } from 'js-yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { DryRunResponder, Responder } from '../../api/src/respond/core/responder.ts';
import { createReasonResponder } from '../../api/src/respond/several/reason-clause.ts';
import { createSeveralResponder } from '../../api/src/respond/several/several-responder.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { question, skillsOf } from '../support/skills.ts';

const lines = z.array(z.string());
const sentences = z
  .record(
    z.string(),
    z.object({
      done: lines,
      whole: lines,
      /** A request with its reason; and two requests, the second of which looks like a reason. */
      reasons: lines.default([]),
      demands: lines.default([]),
    }),
  )
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

describe.each(Object.entries(sentences))('in the language %s', (tag, { done, whole, reasons, demands }) => {
  let several: Responder;
  let reason: Responder;

  beforeAll(() => {
    const { responder, grammar, files, pendingQuestions } = skillsOf(tag, redis);
    const shared = {
      files,
      readWords: grammar.readWords,
      skills: responder,
      sentences: null,
      responders: [responder],
    };
    several = createSeveralResponder({ ...shared, notConnected: nothing, pendingQuestions });
    reason = createReasonResponder(shared);
  });
  const reply = async (to: Responder, text: string) => (await to.respond(question(text)))?.text ?? null;
  const say = (text: string) => reply(several, text);

  test.each(done.map((line) => line.split(' => ')))('both requests run: %s', async (text, spoken) => {
    expect(await say(text ?? '')).toBe(spoken);
  });

  test.each(whole)('there is only one request in: %s', async (text) => {
    expect(await say(text)).toBeNull();
  });

  test.each(reasons.map((line) => line.split(' => ')))(
    'the reason is no request: %s',
    async (text, spoken) => {
      expect(await reply(reason, text ?? '')).toBe(spoken);
    },
  );

  test.each(demands)('the second part is a request, so the first is not done alone: %s', async (text) => {
    expect(await reply(reason, text)).toBeNull();
  });
});
