import type { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NewTimer } from '../../api/src/timers/timer.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { englishSkills, now, question, remarks } from '../support/skills.ts';
import {
  areExpected,
  changesOf,
  type TimerSentence,
  type TimerState,
  timerSentences,
} from '../support/timer-sentences.ts';

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

const minutes = (n: number) => n * 60_000;
const soon = {
  by: 'length',
  label: null,
  room: 'kitchen',
  client: 'kitchen',
  setAt: now - minutes(4),
  durationMs: null,
} as const;
const pasta: NewTimer = {
  ...soon,
  kind: 'timer',
  label: 'pasta',
  dueAt: now + minutes(6),
  durationMs: minutes(10),
};
const five: NewTimer = { ...soon, kind: 'timer', dueAt: now + minutes(2), durationMs: minutes(5) };
const alarm: NewTimer = { ...soon, kind: 'alarm', dueAt: Date.parse('2026-11-22T07:00:00Z') };
const reminder: NewTimer = {
  ...soon,
  kind: 'reminder',
  label: 'take out the bins',
  dueAt: Date.parse('2026-11-22T08:00:00Z'),
};

const there: Readonly<Record<TimerState, readonly NewTimer[]>> = {
  nothing: [],
  pasta: [pasta],
  paused: [pasta],
  several: [pasta, five, alarm, reminder],
  ringing: [{ ...pasta, dueAt: now - 2_000 }],
};

async function begin(state: TimerState): Promise<void> {
  await redis.flushall();
  for (const [place, timer] of there[state].entries()) {
    const action = { turn: `before-${place}`, at: timer.setAt, kind: 'timer.set' } as const;
    const set = await skills.timers.set({ action, conversation: 'somebody else' }, timer);
    if (state === 'paused' && set !== 'full')
      await skills.timers.change(
        { action: { ...action, turn: 'pause', kind: 'timer.pause' }, conversation: 'somebody else' },
        set,
        { leftMs: minutes(6) },
      );
    if (state === 'ringing' && set !== 'full') await skills.timers.ring(set, now - 2_000);
  }
}

/** The effects and the reply of a sentence next to the expected ones; null if they are the same. */
async function differs({ before, text, expected }: TimerSentence) {
  await begin(before);
  const was = await skills.timers.all();
  const asked = question(text, { room: 'kitchen', createdAt: now + 1 });
  const reply = (await skills.responder.respond(asked))?.text ?? null;
  const changes = changesOf(was, await skills.timers.all(), asked.turn.createdAt);
  const told = `${before}: ${text} => ${changes.flat().join(' ')} | ${reply}, not ${expected}`;
  const isAction = !/^(says |passed on)/.test(expected);
  if (isAction) return areExpected(changes, expected) ? null : { told, isWrongAction: changes.length > 0 };
  const said = expected === 'passed on' ? reply === null : reply?.includes(expected.slice(5));
  return said && changes.length === 0 ? null : { told, isWrongAction: changes.length > 0 };
}

describe('sentences about timers', () => {
  let wrong: { told: string; isWrongAction: boolean }[];

  beforeAll(async () => {
    wrong = [];
    for (const sentence of timerSentences) wrong.push(...[(await differs(sentence)) ?? []].flat());
  });

  test('are carried out and confirmed in 97 of a hundred cases', () => {
    const told = wrong.map((each) => each.told);

    expect(timerSentences.length).toBeGreaterThanOrEqual(300);
    expect(told.length / timerSentences.length, told.join('\n')).toBeLessThanOrEqual(0.03);
  });

  test('are never taken for another action', () => {
    expect(wrong.filter(({ isWrongAction }) => isWrongAction)).toEqual([]);
  });
});

describe.each(['nothing', 'several', 'ringing'] as const)('with timers: %s', (state) => {
  test('plain questions and remarks change nothing', { tags: 'slow' }, async () => {
    await begin(state);
    const was = await skills.timers.all();

    // An "okay" stops the ringing.
    const others = remarks.filter((text) => skills.responder.understood(text)?.skill !== 'yes-no');
    for (const text of others) await skills.responder.respond(question(text, { room: 'kitchen' }));

    expect(await skills.timers.all()).toEqual(was);
  });
});
