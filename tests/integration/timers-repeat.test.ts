import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import type { HouseholdClock } from '../../api/src/redis/household-clock.ts';
import { machineClock } from '../../api/src/redis/household-clock.ts';
import { createTimerStore } from '../../api/src/timers/timer-store.ts';
import { createTimerSweep } from '../../api/src/timers/timer-sweep.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { englishSkills, question } from '../support/skills.ts';

let server: OwnRedis;
let redis: Redis;
let skills: ReturnType<typeof englishSkills>;

beforeAll(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
  skills = englishSkills(redis);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const jobs = { add: async () => undefined, remove: async () => undefined };

function talk() {
  const exchanges: Exchange[] = [];
  return async (text: string): Promise<string | null> => {
    const asked = question(text, { room: 'kitchen' }, [...exchanges]);
    const answer = await skills.responder.respond(asked);
    if (answer) exchanges.push({ user: text, assistant: answer.text, turn: asked.turn.id });
    return answer?.text ?? null;
  };
}

/** The store and its sweep at a time, as after an outage. */
function laterAt(time: string) {
  const at = () => Date.parse(time);
  const clock: HouseholdClock = { ...machineClock, now: at, steady: at };
  const timers = createTimerStore({ redis, jobs, clock });
  const log = { info: () => undefined, debug: () => undefined };
  const commands = { carryOut: async () => undefined, lose: async () => undefined };
  const sweep = createTimerSweep({ timers, ringMs: () => 600_000, log: log as never, clock, commands });
  return { timers, sweep };
}

const told = async () =>
  (await skills.timers.all()).map(({ state, dueAt, repeats }) => [
    state,
    new Date(dueAt).toISOString().slice(0, 16),
    repeats?.rule ?? 'once',
  ]);

async function sweptAt(time: string): Promise<void> {
  const { sweep } = laterAt(time);
  await sweep.checkAll();
  sweep.stop();
}

describe('a repeating timer', () => {
  test('rings, and its next time is scheduled', async () => {
    await talk()('Wake me at 7 every day.');

    await sweptAt('2026-11-22T07:00:01Z');
    await sweptAt('2026-11-22T07:00:02Z');

    expect(await told()).toEqual([
      ['ringing', '2026-11-22T07:00', 'once'],
      ['running', '2026-11-23T07:00', 'FREQ=DAILY'],
    ]);
  });

  test('is missed once after an outage, and rings again at the next future time', async () => {
    await talk()('Wake me at 7 every day.');

    await sweptAt('2026-11-26T09:00:00Z');

    expect(await told()).toEqual([
      ['missed', '2026-11-22T07:00', 'once'],
      ['running', '2026-11-27T07:00', 'FREQ=DAILY'],
    ]);
  });

  test('continues when a stop precedes the record of its ringing', async () => {
    await talk()('Wake me at 7 every day.');
    const { timers, sweep } = laterAt('2026-11-22T07:00:01Z');
    sweep.stop();
    const [alarm] = await timers.all();

    await timers.silence(alarm?.id ?? '');

    expect(await told()).toEqual([['running', '2026-11-23T07:00', 'FREQ=DAILY']]);
  });

  test('is gone when it is cancelled by hand', async () => {
    await talk()('Wake me at 7 every day.');
    const [alarm] = await skills.timers.all();

    await skills.timers.remove(alarm?.id ?? '');

    expect(await told()).toEqual([]);
  });
});

describe('in a conversation', () => {
  test('one day is skipped, and restored', async () => {
    const say = talk();

    expect(await say('Set an alarm for every weekday at half past six.')).toBe(
      'Alarm, every weekday at 6:30 AM.',
    );
    expect(await say('When does my alarm ring?')).toBe(
      'Your alarm rings every weekday at 6:30 AM, next on Monday at 6:30 AM.',
    );
    expect(await say("Skip Monday's alarm.")).toBe(
      'Not on Monday at 6:30 AM. The next one is on Tuesday at 6:30 AM.',
    );
    expect(await say('Is there an alarm on Monday?')).toBe('No, only the alarm every weekday at 6:30 AM.');
    await say('Undo that.');
    expect(await told()).toEqual([['running', '2026-11-23T06:30', 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR']]);
  });

  test('"no alarm tomorrow" skips only that one', async () => {
    const say = talk();

    await say('Wake me at 7 every day.');
    expect(await say('No alarm tomorrow.')).toBe('Not tomorrow at 7 AM. The next one is on Monday at 7 AM.');
    expect(await told()).toEqual([['running', '2026-11-23T07:00', 'FREQ=DAILY']]);
  });

  test('a cancellation asks whether one time or all of it is meant', async () => {
    const say = talk();

    await say('Wake me at 7 every day.');
    const which = 'Only the next one, tomorrow at 7 AM, or all: every day at 7 AM?';
    expect(await say('Cancel my alarm.')).toBe(which);
    expect(await say('Only the next one.')).toBe('Not tomorrow at 7 AM. The next one is on Monday at 7 AM.');
    await say('Cancel my alarm.');
    expect(await say('All of them.')).toBe('I cancelled the 7 AM alarm.');
    expect(await told()).toEqual([]);
  });

  test('a change asks whether all of it is meant, and changes nothing before', async () => {
    const say = talk();

    await say('Wake me at 7 every day.');
    expect(await say('Change my alarm to 8.')).toBe(
      'Only the next one, tomorrow at 7 AM, or all: every day at 7 AM?',
    );
    expect(await told()).toEqual([['running', '2026-11-22T07:00', 'FREQ=DAILY']]);
  });
});
