/** @module-tag slow */
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import type { Answer } from '../../api/src/respond/core/responder.ts';
import { createHouseholdTools } from '../../api/src/respond/model/household-tools.ts';
import { createLanguageModel, toolWords } from '../support/language-model.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { answersAreKnown, hasRealLlm, type RealLlm, startRealLlm } from '../support/servers/real-llm.ts';
import { englishSkills, question } from '../support/skills.ts';

const context = '(It is Saturday 21 November 2026, 15:20. Room: kitchen.)';

/** A model on few cores, beside all other tests. */
const busyMachineMs = 120_000;

describe.skipIf(!hasRealLlm || !answersAreKnown)(
  'tools on a real llama-server (needs .venv and ../shared/models)',
  { timeout: busyMachineMs },
  () => {
    let server: OwnRedis;
    let redis: Redis;
    let llm: RealLlm;
    let household: ReturnType<typeof englishSkills>;
    let languageModel: ReturnType<typeof createLanguageModel>;
    const commands: string[] = [];

    beforeAll(async () => {
      [server, llm] = await Promise.all([startRedis(), startRealLlm()]);
      redis = await connectTo(server.url);
      household = englishSkills(redis);
      const tools = createHouseholdTools({
        household,
        home: {
          opensUp: async () => false,
          async run(command) {
            commands.push(command);
            return { ok: true, text: 'Turned on the lights.' };
          },
        },
        timeZone: 'Europe/London',
        words: toolWords,
      });
      languageModel = createLanguageModel({
        redis,
        url: llm.url,
        tools: () => tools,
        ownModelCallsTools: null,
      });
    });
    beforeEach(async () => {
      await redis.flushall();
      commands.length = 0;
    });
    afterAll(async () => {
      await languageModel?.close();
      redis?.disconnect();
      await llm?.stop();
      await server?.stop();
    });

    /** A conversation with only the model. */
    function talk(conversation = 'kitchen') {
      const exchanges: Exchange[] = [];
      return async (text: string): Promise<Answer> => {
        const asked = question(text, { conversation, room: 'kitchen' }, [...exchanges]);
        const message = `${context} ${text}`;
        const answer = await languageModel.responder.respond({ ...asked, message });
        if (!answer) throw new Error('the model passed');
        exchanges.push({
          user: message,
          ...(answer.kept ?? { assistant: answer.text }),
          turn: asked.turn.id,
        });
        return answer;
      };
    }
    const ask = async (text: string) => (await talk()(text)).text;

    const running = async () =>
      (await household.timers.all()).map(({ label, durationMs }) => [label, (durationMs ?? 0) / 1_000]);

    test('set real timers', async () => {
      const replies = [
        await ask('Set a timer for five minutes.'),
        await ask('Set a ten minute pasta timer.'),
      ];

      expect(await running()).toEqual([
        [null, 300],
        ['pasta', 600],
      ]);
      expect(replies.join(' ')).toMatch(/five minutes.*pasta.*ten minutes/i);
    });

    test('cancel the right timer', async () => {
      await ask('Set a pasta timer for five minutes.');
      await ask('Set a tea timer for two minutes.');

      await ask('Cancel the pasta timer.');

      expect(await running()).toEqual([['tea', 120]]);
    });

    test('keep lists, and answer from them', async () => {
      const say = talk();
      await say('Add milk to the shopping list.');
      await say('Add eggs to the shopping list.');
      await say('Add call mum to my to-do list.');

      expect((await say('What is on the shopping list?')).text).toBe('On your shopping list: milk and eggs.');
      expect((await household.lists.read('to do')).map(({ text }) => text)).toEqual(['call mum']);
    });

    test('answer the time and the timers from their results', async () => {
      const say = talk();
      await say('Set a pasta timer for five minutes.');

      expect((await say('What time is it?')).text).toBe('It is 15:20.');
      expect((await say('What timers are running?')).text).toBe('You have one timer: pasta.');
    });

    test('command the house', async () => {
      expect(await ask('Turn on the kitchen lights.')).toBe('Turned on the lights.');
      expect(commands).toEqual(['turn on the kitchen lights']);
    });

    test('leave questions of fact to the model', async () => {
      expect([await ask('What is the capital of France?'), await ask('Who wrote Hamlet?')]).toEqual([
        'The capital of France is Paris.',
        'William Shakespeare wrote Hamlet.',
      ]);
    });

    test('cost a conversation little of its cached prompt', async () => {
      const say = talk('long');
      const sentences = [
        ...[
          'Set a pasta timer for five minutes.',
          'What timers are running?',
          'What is the capital of France?',
        ],
        ...['Add milk to the shopping list.', 'What is on the shopping list?', 'What time is it?'],
        ...['Who wrote Hamlet?', 'Set a tea timer for two minutes.', 'Add eggs to the shopping list.'],
      ];

      const used: Answer['usage'][] = [];
      for (const sentence of sentences) used.push((await say(sentence)).usage);

      const later = used.slice(1).flatMap((usage) => usage ?? []);
      const sum = (field: 'prompt' | 'cached') => later.reduce((total, usage) => total + usage[field], 0);
      expect(sum('cached') / sum('prompt')).toBeGreaterThanOrEqual(0.9);
    });
  },
);
