import { afterEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../../api/src/config.ts';
import { createSentenceCheck } from '../../../api/src/wiring/sentence-check.ts';

const draft = { file: 'en/skills/lists.yaml', text: '' };
const failed = {
  code: 'internal',
  message: 'Hearth failed to check the sentences. Nothing has been changed.',
};
const answering = `
  import { parentPort, threadId } from 'node:worker_threads';
  parentPort.on('message', ({ file }) => parentPort.postMessage(file + ' in ' + threadId));`;
const neverAnswering = 'setInterval(() => undefined, 1_000);';

let started: ReturnType<typeof createSentenceCheck>[] = [];
afterEach(() => {
  for (const { stop } of started) stop();
  started = [];
});
function checkBy(code: string) {
  const each = createSentenceCheck(
    readConfig({}),
    new URL(`data:text/javascript,${encodeURIComponent(code)}`),
  );
  started.push(each);
  return each.check;
}
const { signal } = new AbortController();

describe('a check of own sentences', () => {
  test('tells what its thread has found, and keeps the thread for the next one', async () => {
    const check = checkBy(answering);

    const [first, second] = [await check(draft, signal), await check(draft, signal)];

    expect(first).toMatch(/^en\/skills\/lists\.yaml in \d+$/);
    expect(second).toBe(first);
  });

  test('takes another thread after one that was cancelled', async () => {
    const check = checkBy(answering);
    const first = await check(draft, signal);
    await expect(check(draft, AbortSignal.abort(new Error('hung up')))).rejects.toThrow('hung up');
    expect(await check(draft, signal)).toBe(first);
    const ending = new AbortController();
    const second = check(draft, ending.signal);
    ending.abort(new Error('hung up'));
    await expect(second).rejects.toThrow('hung up');

    expect(await check(draft, signal)).not.toBe(first);
  });

  test.each([
    ['fails', `throw new Error('broken');`],
    ['ends without a result', 'process.exit();'],
  ])('says that nothing has been changed if its thread %s', async (_, code) => {
    await expect(checkBy(code)(draft, signal)).rejects.toMatchObject(failed);
  });

  test('ends with its signal, and lets the next one begin', async () => {
    const check = checkBy(neverAnswering);
    const [first, second] = [new AbortController(), new AbortController()];
    const results = [check(draft, first.signal), check(draft, second.signal)];

    first.abort(new Error('hung up'));
    await expect(results[0]).rejects.toThrow('hung up');
    second.abort(new Error('hung up, too'));

    await expect(results[1]).rejects.toThrow('hung up, too');
  });

  test('refuses more than three that wait', async () => {
    const check = checkBy(neverAnswering);
    const ending = new AbortController();
    const waiting = Array.from({ length: 4 }, () => check(draft, ending.signal));

    await expect(check(draft, signal)).rejects.toMatchObject({ code: 'overloaded' });

    ending.abort(new Error('over'));
    expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual(
      Array.from({ length: 4 }, () => 'rejected'),
    );
  });
});
