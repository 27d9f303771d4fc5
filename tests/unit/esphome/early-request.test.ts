import { expect, test } from 'vitest';
import { createEarlyRequest } from '../../../api/src/esphome/early-request.ts';

const replayed = (early: ReturnType<typeof createEarlyRequest>) => {
  const told: (string | number)[] = [];
  early.replay({ onRequest: (word) => void told.push(word), sound: ({ length }) => void told.push(length) });
  return told;
};

test('the latest request is replayed with its sound', () => {
  const early = createEarlyRequest();
  early.onRequest('Alexa');
  early.sound(Buffer.alloc(1_024));
  early.onRequest('Okay Nabu');
  early.sound(Buffer.alloc(512));

  expect(replayed(early)).toEqual(['Okay Nabu', 512]);
  expect(replayed(early)).toEqual([]);
});

test('a request that was stopped is not replayed', () => {
  const early = createEarlyRequest();
  early.onRequest('Okay Nabu');
  early.stopped();

  expect(replayed(early)).toEqual([]);
});

test('the kept sound is limited', () => {
  const early = createEarlyRequest();
  early.onRequest('Okay Nabu');
  for (let second = 0; second < 60; second += 1) early.sound(Buffer.alloc(32_000));

  expect(replayed(early)).toHaveLength(11);
});
