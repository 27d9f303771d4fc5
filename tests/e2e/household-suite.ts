import { beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { conversationKeys } from '../../api/src/conversations/conversation-store.ts';
import {
  type Answer,
  ask,
  call,
  errorOf,
  type Household,
  householdModel,
  type Program,
  placeHouseholdModel,
} from './household.ts';
import { openAiSoundSuite, voiceSuite } from './voice-suite.ts';

const exchangeSchema = z.object({ user: z.string(), assistant: z.string() });

/** The questions and answers of a conversation, as Redis stores them. */
export async function kept(
  household: Household,
  conversation: string,
): Promise<z.infer<typeof exchangeSchema>[]> {
  const lines = await household.redis('LRANGE', conversationKeys(conversation).exchanges, '0', '-1');
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => exchangeSchema.parse(JSON.parse(line)));
}

/** Asks while the language model is frozen, so that the next step happens during the request. */
async function askFrozen(household: Household, body: object): Promise<{ answer: Promise<Answer> }> {
  await household.freeze('llm');
  const answer = call(household, { body });
  answer.catch(() => undefined); // A later line reads it; until then a failure must not end the tests.
  await vi.waitFor(
    async () => {
      const { in_flight } = z
        .object({ in_flight: z.object({ turns: z.number() }) })
        .parse((await call(household, { path: '/health' })).body);
      if (in_flight.turns === 0) throw new Error('The question has not arrived.');
    },
    { timeout: 10_000, interval: 50 },
  );
  return { answer };
}

/**
 * Asks until the household's model answers: it may have been chosen just before, or must recover from a
 * failure.
 */
function untilAnswered(household: Household): Promise<void> {
  return vi.waitFor(
    async () => expect(await ask(household, 'What is the capital of Italy?', 'after')).toEqual(italy),
    { timeout: 60_000, interval: 200 },
  );
}

const italy = { reply: 'The capital of Italy is Rome.', via: 'local' };

const facts: readonly (readonly [question: string, reply: string])[] = [
  ['What is the capital of Germany?', 'The capital of Germany is Berlin.'],
  ['What is two plus two?', '2 plus 2 is 4.'],
  ['How many days are in a week?', '1 week is 7 days.'],
  ['What is the largest planet?', 'Jupiter is the largest planet.'],
  ['What colour is grass?', 'Grass is green.'],
  ['How many legs does a spider have?', 'A spider has eight legs.'],
  ['Who wrote Hamlet?', 'William Shakespeare wrote Hamlet.'],
  ['What does a cow say?', 'A cow says moo.'],
];

/**
 * Requirements of any household, with or without containers, once it uses the model whose answers are known
 * word for word.
 */
export function householdSuite(of: () => Household): void {
  beforeAll(async () => {
    await placeHouseholdModel(of());
    await of().changeModels({ LLM_MODEL: householdModel });
    await untilAnswered(of());
  });

  test('shows its page and loads all parts of it', async () => {
    const address = `http://127.0.0.1:${of().port}/`;
    const page = await (await fetch(address)).text();
    const parts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, path = '']) => new URL(path, address),
    );

    const statuses = await Promise.all(parts.map(async (part) => (await fetch(part)).status));

    expect(page).toContain('<title>Hearth</title>');
    expect(statuses.length).toBeGreaterThanOrEqual(3);
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  test('knows the capital of France', async () => {
    expect(await ask(of(), 'What is the capital of France?')).toEqual({
      reply: 'The capital of France is Paris.',
      via: 'local',
    });
  });

  describe('spoken to', () => {
    voiceSuite(of);
    openAiSoundSuite(of);
  });

  test('remembers a name after a restart of everything, and only in that conversation', async () => {
    expect(await ask(of(), 'My name is Anna.', 'kitchen')).toEqual({
      reply: 'Nice to meet you, Anna.',
      via: 'local',
    });

    await of().stop();
    await of().start();
    await untilAnswered(of());

    expect(await ask(of(), 'What is my name?', 'kitchen')).toEqual({
      reply: 'Your name is Anna.',
      via: 'local',
    });
    const stranger = await ask(of(), 'What is my name?', 'garage');
    expect(stranger).toEqual({ reply: 'You have not told me your name yet.', via: 'local' });
  });

  test('keeps two conversations of twenty turns apart', async () => {
    const talk = async (client: string, name: string) => {
      const replies = [(await ask(of(), `My name is ${name}.`, client)).reply];
      for (let turn = 2; turn <= 20; turn += 1)
        replies.push((await ask(of(), 'What is my name?', client)).reply);
      return replies;
    };

    const [first, second] = await Promise.all([talk('first', 'Clara'), talk('second', 'Felix')]);

    expect(first).toEqual(['Nice to meet you, Clara.', ...Array(19).fill('Your name is Clara.')]);
    expect(second).toEqual(['Nice to meet you, Felix.', ...Array(19).fill('Your name is Felix.')]);
    expect((await kept(of(), 'first')).map(({ assistant }) => assistant)).toEqual(first);
    expect((await kept(of(), 'second')).map(({ assistant }) => assistant)).toEqual(second);
  });

  test('loses no turn of eight callers in one conversation', async () => {
    const replies = await Promise.all(facts.map(([question]) => ask(of(), question, 'busy')));

    expect(replies.map(({ reply }) => reply)).toEqual(facts.map(([, reply]) => reply));
    const exchanges = await kept(of(), 'busy');
    expect(exchanges).toHaveLength(facts.length);
    for (const [question, reply] of facts) {
      expect(
        exchanges.filter(({ user }) => user.includes(question)).map(({ assistant }) => assistant),
      ).toEqual([reply]);
    }
  });

  test.each([
    ['Host', { host: 'rebound.example' }, 'local_only'],
    ['Origin', { origin: 'https://elsewhere.example' }, 'foreign_origin'],
  ])('refuses a foreign %s', async (_, headers, code) => {
    const answer = await call(of(), { body: { text: 'What is the capital of France?' }, headers });

    expect([answer.status, errorOf(answer).code]).toEqual([403, code]);
  });

  test.each([
    ['llm', 503, 'llm_unavailable', /language model/],
    ['redis', 503, 'redis_unavailable', /Redis/],
  ] as const)(
    'reports in time that %s died during a request, then works again',
    async (program, status, code, sentence) => {
      const { answer } = await askFrozen(of(), { text: 'What is the capital of France?', client: 'cut-off' });
      const killedAt = performance.now();
      await of().kill(program);

      const refused = await answer;

      expect([refused.status, errorOf(refused).code]).toEqual([status, code]);
      expect(errorOf(refused).message).toMatch(sentence);
      expect(performance.now() - killedAt).toBeLessThan(15_000);
      await recover(program);
    },
  );

  test('ends a request whose worker was killed', async () => {
    const { answer } = await askFrozen(of(), { text: 'What is the capital of France?', client: 'cut-off' });
    const killedAt = performance.now();
    await of().kill('worker');
    await of().thaw('llm');
    await of().bringBack('worker');

    const settled = await answer;

    expect(performance.now() - killedAt).toBeLessThan(30_000);
    if (settled.status === 200)
      expect(settled.body).toEqual({ reply: 'The capital of France is Paris.', via: 'local' });
    else expect([settled.status, errorOf(settled).code]).toEqual([503, 'worker_unavailable']);
    await untilAnswered(of());
  });

  async function recover(program: Program): Promise<void> {
    if (program !== 'llm') await of().thaw('llm');
    await of().bringBack(program);
    await untilAnswered(of());
  }
}
