import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type Assistant, startAssistant } from '../support/servers/assistant.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';

let redis: OwnRedis;
let llm: FakeLlm;
let home: FakeHome;
let assistant: Assistant;

beforeAll(async () => {
  [redis, llm, home] = await Promise.all([startRedis(), startFakeLlm(), startFakeHome()]);
  assistant = await startAssistant({ redisUrl: redis.url, llmUrl: llm.url, env: home.env });
});
beforeEach(async () => {
  llm.answers(() => 'From the model.');
  for (const words of ['Cancel all timers.', 'Cancel all alarms.', 'Cancel all reminders.'])
    for (const each of [words, 'Yes.']) await assistant.ask(each, { client: 'broom' });
  llm.calls.length = 0;
});
afterAll(async () => {
  await assistant?.stop();
  await home?.stop();
  await llm?.stop();
  await redis?.stop();
});

let conversations = 0;
/** Says these in a new conversation; returns the replies. */
async function talk(...said: readonly string[]): Promise<string[]> {
  conversations += 1;
  const replies: string[] = [];
  for (const words of said) {
    const { body } = await assistant.ask(words, { client: `tablet-${conversations}`, room: 'kitchen' });
    replies.push((body as { reply: string }).reply);
  }
  return replies;
}

const twoTimers = [
  'Set a pasta timer for ten minutes.',
  'Set a tea timer for five minutes.',
  'Cancel the timer.',
];
const which = 'Which timer: the tea timer or the pasta timer?';

describe('after an answer that nobody understands, the question', () => {
  test.each(['T.', 'G?', 'Mm-hm.', 'Pastor.', 'Yes.', 'Either.', 'Tea or pasta?'])(
    'is asked again: %s',
    async (answer) => {
      expect((await talk(...twoTimers, answer, 'Pasta.')).slice(3)).toEqual([
        `I did not understand that. ${which}`,
        'I cancelled the pasta timer.',
      ]);
    },
  );

  test.each([
    ['Set a timer.', 'For how long?'],
    ['Wake me up.', 'For when?'],
    ['Make a list.', 'What is the list for?'],
    ['Set the brightness of the bedside lamp.', 'To what brightness?'],
  ])('is asked again, whoever asked it: %s', async (request, question) => {
    expect(await talk(request, 'Mm-hm.')).toEqual([question, `I did not understand that. ${question}`]);
    expect(llm.calls).toEqual([]);
  });

  test('ends with the second one, and nothing has changed', async () => {
    const replies = await talk(...twoTimers, 'T.', 'G.', 'Pasta.', 'What timers do I have?');

    expect(replies[4]).toBe('I still do not understand, so I left everything as it is.');
    expect(replies[5]).toBe('From the model.');
    expect(replies[6]).toMatch(/^There are two timers/);
  });

  test('stays open when it names no such thing', async () => {
    const [, , , none, done] = await talk(...twoTimers, 'The green one.', 'Pasta.');

    expect(none).toBe(`There is no green timer. ${which}`);
    expect(done).toBe('I cancelled the pasta timer.');
  });

  test.each(['Why is the sky blue?', 'I am so happy that it is summer.', 'Who asks?'])(
    'is left for another matter: %s',
    async (words) => {
      expect((await talk('Set a timer.', words)).at(-1)).toBe('From the model.');
    },
  );

  test('is not asked again if none was open', async () => {
    expect(await talk('Hello.', 'Elephants.')).toEqual([expect.any(String), 'From the model.']);
  });
});

describe('"what?" after a question', () => {
  test.each(['What?', 'Sorry, what?', 'Huh?', 'Say that again.'])(
    'repeats it and leaves it open: %s',
    async (words) => {
      expect(await talk('Set a timer.', words, 'Ten minutes.')).toEqual([
        'For how long?',
        'For how long?',
        'Timer, ten minutes.',
      ]);
    },
  );
});

describe('"which ones?" after a question', () => {
  test.each(['Which?', 'Which ones are there?', 'What are my options?', 'What can I choose from?'])(
    'repeats it and leaves it open: %s',
    async (words) => {
      expect((await talk(...twoTimers, words, 'Pasta.')).slice(3)).toEqual([
        which,
        'I cancelled the pasta timer.',
      ]);
    },
  );

  test('is no question without one', async () => {
    expect(await talk('Hello.', 'Which ones are there?')).toEqual([expect.any(String), 'From the model.']);
  });
});

describe('an answer of few words', () => {
  const weekdays = ['Wake me every weekday at seven.', 'Move my alarm to 6:45.'];

  test.each([
    ['Next.', /^Alarm, now (today|tomorrow|on Monday) at 6:45 AM/],
    ['Just this once.', /^Alarm, now (today|tomorrow|on Monday) at 6:45 AM/],
    ['Always.', /^Alarm, now every weekday at 6:45 AM/],
    ['Every weekday.', /^Alarm, now every weekday at 6:45 AM/],
    ['Every day.', /^Alarm, now every weekday at 6:45 AM/],
    ['Every Sunday.', /^Only the next one/],
    ['Just Sunday.', /^I did not understand that. Only the next one/],
  ])('says whether one time or all are meant: %s', async (answer, reply) => {
    expect((await talk(...weekdays, answer)).at(-1)).toMatch(reply);
  });

  test.each([
    ['Put something on my list.', 'Oat milk.', 'I added oat milk to the shopping list.'],
    ['Set a timer.', "Let's say ten minutes.", 'Timer, ten minutes.'],
    ['Set a timer.', "I don't know.", expect.stringMatching(/^All right/)],
  ])('completes the request: %s %s', async (request, answer, reply) => {
    expect((await talk(request, answer)).at(-1)).toEqual(reply);
  });

  test.each([
    ['Change the color of the kitchen lights.', /^Which color\?/, 'Blue.'],
    ['Set the brightness of the bedside lamp to ten.', /^Ten percent, or full\?/, 'Full.'],
  ])('completes a command for the house: %s', async (request, question, answer) => {
    home.forget();

    const [asked] = await talk(request, answer);

    expect(asked).toMatch(question);
    expect(home.calls.length + home.services.length).toBeGreaterThan(0);
    expect(llm.calls).toEqual([]);
  });
});
