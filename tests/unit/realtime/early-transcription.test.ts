import { expect, test } from 'vitest';
import { createEarlyTranscription } from '../../../api/src/realtime/early-transcription.ts';

function start(transcript: (samples: Buffer) => Promise<string> = async (samples) => String(samples)) {
  const told: string[] = [];
  let due: (() => void) | null = null;
  const early = createEarlyTranscription({
    clock: {
      after: (_, run) => {
        due = run;
        return () => {
          due = null;
        };
      },
    },
    transcribe: transcript,
    tell: (id, text) => void told.push(`${id}: ${text}`),
    fail: (id, { code }) => void told.push(`${id} failed: ${code}`),
  });
  const wait = async () => {
    due?.();
    due = null;
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { early, told, wait };
}

test('transcribes committed speech if no answer is requested', async () => {
  const { early, told, wait } = start();
  early.add(Buffer.from('a'));
  early.commit('one');
  early.add(Buffer.from('b'));

  await wait();

  expect(told).toEqual(['one: a']);
});

test('transcribes nothing that an answer was requested for, and keeps the sound after it', async () => {
  const { early, told, wait } = start();
  early.add(Buffer.from('a'));
  early.commit('one');
  early.add(Buffer.from('b'));
  early.request();
  await wait();
  early.commit('two');
  await wait();

  expect(told).toEqual(['two: b']);
});

test('transcribes all speech of an item that grows', async () => {
  const { early, told, wait } = start();
  early.add(Buffer.from('a'));
  early.commit('one');
  early.add(Buffer.from('b'));
  early.commit('one');

  await wait();

  expect(told).toEqual(['one: ab']);
});

test('drops a transcript that arrives after the request', async () => {
  const slow = Promise.withResolvers<string>();
  const { early, told, wait } = start(() => slow.promise);
  early.add(Buffer.from('a'));
  early.commit('one');
  await wait();
  early.request();
  slow.resolve('late');
  await wait();

  expect(told).toEqual([]);
});

test('reports a failure', async () => {
  const { early, told, wait } = start(() => Promise.reject(new Error('gone')));
  early.add(Buffer.from('a'));
  early.commit('one');
  await wait();

  expect(told).toEqual(['one failed: internal']);
});

test('leaves speech beyond 30 s to its answer, and forgets cleared sound', async () => {
  const { early, told, wait } = start(async (samples) => String(samples.length));
  early.add(Buffer.alloc(960_001));
  early.commit('long');
  await wait();
  early.clear();
  early.add(Buffer.alloc(2));
  early.commit('short');
  await wait();

  expect(told).toEqual(['short: 2']);
});
