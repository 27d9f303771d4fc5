import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type AnswerFault,
  createAnswerServer,
  type DeviceAnswer,
} from '../../../api/src/esphome/answer-server.ts';
import { createFakeClock, type FakeClock } from '../../support/fakes/fake-clock.ts';

const wanted = { format: 'wav', sampleRateHz: 16_000 };
let clock: FakeClock;
let server: ReturnType<typeof createAnswerServer>;
let port: number;
let faults: AnswerFault[];
let left: number;

beforeEach(async () => {
  clock = createFakeClock();
  server = createAnswerServer({ clock, port: 0 });
  port = await server.listen();
  [faults, left] = [[], 0];
});
afterEach(() => server.stop());

function open(from: string | null = '127.0.0.1'): DeviceAnswer {
  return server.open({
    from,
    wanted,
    onFault: (fault) => faults.push(fault),
    onLeft: () => {
      left += 1;
    },
  });
}
function fetched(path: string): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    get({ port, path, host: '127.0.0.1' }, (reply) => {
      const pieces: Buffer[] = [];
      reply.on('data', (piece: Buffer) => pieces.push(piece));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(pieces) }));
    }).on('error', reject);
  });
}
const header = 44;

describe('an answer', () => {
  test('is served from its beginning while it is made', async () => {
    const answer = open();
    answer.push(Buffer.from('abcd'));
    const file = fetched(answer.path);
    answer.push(Buffer.from('efgh'));
    answer.end();

    const { status, body } = await file;
    expect([status, body.subarray(header).toString()]).toEqual([200, 'abcdefgh']);
    expect([faults, left]).toEqual([[], 0]);
  });

  test('is served once', async () => {
    const answer = open();
    answer.end();
    await fetched(answer.path);

    expect((await fetched(answer.path)).status).toBe(410);
    expect(faults).toEqual(['twice']);
  });

  test('is served only to its device', async () => {
    const answer = open('192.0.2.1');
    answer.push(Buffer.from('abcd'));

    expect((await fetched(answer.path)).status).toBe(403);
    expect(faults).toEqual(['foreign']);
  });

  test('that is never fetched is dropped and reported', async () => {
    const answer = open();
    answer.push(Buffer.from('abcd'));
    answer.end();
    await clock.pass(30_000);

    expect((await fetched(answer.path)).status).toBe(404);
    expect(faults).toEqual(['never']);
  });

  test('without sound is not reported as unfetched', async () => {
    open();
    await clock.pass(30_000);

    expect(faults).toEqual([]);
  });

  test('that was dropped is not found', async () => {
    const answer = open();
    answer.push(Buffer.from('abcd'));
    answer.drop();

    expect((await fetched(answer.path)).status).toBe(404);
    expect(faults).toEqual([]);
  });

  test('has an unguessable address', () => {
    expect(open().path).toMatch(/^\/[\w-]{22}\.wav$/);
  });
});

describe('an answer that is dropped before it was fetched', () => {
  test('is reported if the device had time to fetch it', async () => {
    const answer = open();
    answer.push(Buffer.from('abcd'));
    answer.end();
    await clock.pass(5_000);
    answer.drop();

    expect(faults).toEqual(['never']);
  });

  test('is not reported if the device had no time', async () => {
    const answer = open();
    answer.push(Buffer.from('abcd'));
    await clock.pass(1_000);
    answer.drop();
    await clock.pass(60_000);

    expect(faults).toEqual([]);
  });

  test('is not reported if it had no sound', async () => {
    const answer = open();
    await clock.pass(20_000);
    answer.drop();

    expect(faults).toEqual([]);
  });
});
