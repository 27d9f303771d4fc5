import { expect, test } from 'vitest';
import type { Reply } from '../../../api/src/turn/turn.ts';
import { queueFailure } from '../../../api/src/turn-client/queue-wait.ts';
import { createTurnClock } from '../../../api/src/turn-client/turn-clock.ts';

const reply = (more: Partial<Reply>): Reply => ({
  text: 'Yes.',
  heard: null,
  via: 'local',
  finish: 'stop',
  usage: null,
  timings: {},
  sentences: 1,
  ...more,
});

/** A clock that the test sets. */
function clockAt(preparedMs?: number) {
  let now = preparedMs ?? 0;
  const clock = createTurnClock({ now: () => now, preparedMs });
  const at = (ms: number): void => {
    now = ms;
  };
  return { ...clock, at };
}

test('a spoken question through the model has a span for each step', () => {
  const clock = clockAt(10);
  clock.at(15);
  clock.begun('transcribe');
  clock.at(120);
  clock.transcribed({ sttMs: 100 });
  clock.at(125);
  clock.begun('respond');
  clock.waits();
  clock.at(130);
  clock.begun('think');
  clock.at(330);
  clock.made(50);
  clock.spoke();
  clock.at(430);
  clock.answered(reply({ timings: { llm: 280, 'llm-first': 120 } }));

  expect(clock.spans()).toEqual([
    { name: 'decode', start_ms: 0, took_ms: 10 },
    { name: 'queue', start_ms: 10, took_ms: 5 },
    { name: 'stt', start_ms: 20, took_ms: 100 },
    { name: 'queue', start_ms: 120, took_ms: 5 },
    { name: 'queue', start_ms: 125, took_ms: 5 },
    { name: 'llm-first', start_ms: 150, took_ms: 120 },
    { name: 'llm', start_ms: 150, took_ms: 280 },
    { name: 'tts', start_ms: 280, took_ms: 50 },
  ]);
  expect(clock.timings()).toEqual({
    decode: 10,
    queue: 15,
    stt: 100,
    tts: 50,
    'first-audio': 330,
    total: 430,
  });
});

test('a tool call has a span at its position', () => {
  const clock = clockAt();
  clock.at(5);
  clock.begun('think');
  clock.at(100);
  const steps = [
    { name: 'llm', start_ms: 1, took_ms: 30 },
    { name: 'tools', start_ms: 31, took_ms: 20 },
    { name: 'llm', start_ms: 51, took_ms: 40 },
  ];
  clock.answered(reply({ steps, timings: { llm: 70, 'llm-first': 25, tools: 20 } }));

  const first = { name: 'llm-first', start_ms: 6, took_ms: 25 };
  const told = steps.map((step) => ({ ...step, start_ms: step.start_ms + 5 }));
  expect(clock.spans().slice(1)).toEqual([first, ...told]);
});

test('an answer by fixed rules has its own span', () => {
  const clock = clockAt();
  clock.at(2);
  clock.begun('respond');
  clock.at(6);
  clock.answered(reply({ via: 'skills' }));

  expect(clock.spans().at(-1)).toEqual({ name: 'skills', start_ms: 2, took_ms: 4 });
});

test('an endless reply has a limited number of spans', () => {
  const clock = clockAt();
  for (let sentence = 0; sentence < 500; sentence += 1) clock.made(1);

  expect(clock.spans()).toHaveLength(64);
});

test('a turn waits for one stage after the other, not for running ones', () => {
  const clock = clockAt();
  clock.at(100);
  const atFirst = clock.queued();
  clock.begun('respond');
  const inHand = clock.queued();
  clock.waits();
  clock.at(30_101);
  const forTheModel = clock.queued();
  clock.answered(reply({}));

  expect([atFirst, inHand, forTheModel, clock.queued()]).toEqual([
    { stage: 'respond', ms: 100 },
    null,
    { stage: 'think', ms: 30_001 },
    null,
  ]);
  expect([queueFailure(atFirst), queueFailure(inHand)]).toEqual([null, null]);
  expect(queueFailure(forTheModel)).toMatchObject({ code: 'queue_timeout' });
});
