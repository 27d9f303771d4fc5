import { afterEach, describe, expect, test, vi } from 'vitest';
import { createBackoff } from '../../../console/src/live/backoff.ts';
import {
  createListenConnection,
  createWatchdog,
  type LiveState,
} from '../../../console/src/live/connection.ts';
import { socketProtocols } from '../../../console/src/server/token.ts';

describe('the reconnect', () => {
  test('waits longer each time, up to eight seconds', () => {
    const backoff = createBackoff({ random: () => 1 });

    const waits = Array.from({ length: 7 }, () => backoff.nextMs());

    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
  });

  test('waits slightly differently on each page', () => {
    expect(createBackoff({ random: () => 0 }).nextMs()).toBe(250);
    expect(createBackoff({ random: () => 0.5 }).nextMs()).toBe(375);
  });

  test.each([
    [60_000, 500],
    [2_000, 2_000],
  ])('after a connection of %i ms waits %i ms', (heldMs, expected) => {
    const backoff = createBackoff({ random: () => 1 });
    backoff.nextMs();
    backoff.nextMs();

    backoff.held(heldMs);

    expect(backoff.nextMs()).toBe(expected);
  });
});

describe('a connection that never opened', () => {
  afterEach(() => vi.unstubAllGlobals());

  test.each([
    [1013, 'Hearth cannot serve another device right now.'],
    [1006, 'A plain request told why.'],
  ])('and closed with %i tells: %s', async (code, why) => {
    class ClosedSocket {
      onclose?: (event: { code: number }) => void;
      readonly close = vi.fn();
      constructor() {
        queueMicrotask(() => this.onclose?.({ code }));
      }
    }
    vi.stubGlobal('WebSocket', ClosedSocket);
    const waiting = Promise.withResolvers<LiveState>();
    const connection = createListenConnection({
      address: () => ({ url: new URL('ws://hearth.test/listen'), protocols: [] }),
      whyRefused: async () => ({ why: 'A plain request told why.', isFinal: false }),
      onState: (state) => state.kind === 'waiting' && waiting.resolve(state),
      onEvent: () => undefined,
      onSound: () => undefined,
    });

    connection.open();
    const state = await waiting.promise;
    connection.close();

    expect(state).toMatchObject({ kind: 'waiting', why });
  });
});

describe('the watchdog', () => {
  function watch() {
    const told: string[] = [];
    const watchdog = createWatchdog({
      probe: () => told.push('probe'),
      onSilence: () => told.push('silence'),
    });
    const run = (fromMs: number, toMs: number) => {
      for (let atMs = fromMs; atMs <= toMs; atMs += 2_000) watchdog.tick(atMs);
    };
    return { ...watchdog, told, run };
  }

  test('checks the connection only after 20 s of silence', () => {
    const { told, run, alive } = watch();

    run(0, 18_000);
    alive(18_000);
    run(20_000, 38_000);

    expect(told).toEqual([]);
  });

  test('gives up without an answer', () => {
    const { told, run } = watch();

    run(0, 32_000);

    expect(told).toEqual(['probe', 'silence']);
  });

  test('continues after an answer', () => {
    const { told, run, alive } = watch();

    run(0, 24_000);
    alive(24_500);
    run(26_000, 40_000);

    expect(told).toEqual(['probe']);
  });

  test('asks again after the machine has slept, whatever it asked before', () => {
    const { told, run, tick } = watch();
    run(0, 24_000);

    tick(3_600_000);
    const afterSleep = [...told];
    run(3_602_000, 3_612_000);

    expect(afterSleep).toEqual(['probe', 'probe']);
    expect(told.slice(0, 3)).toEqual(['probe', 'probe', 'silence']);
  });

  test('asks once when there is a doubt', () => {
    const { told, doubt } = watch();

    doubt(1_000);
    doubt(1_100);

    expect(told).toEqual(['probe']);
  });
});

describe('the subprotocol of a socket', () => {
  test.each(['Correct-Horse', 'ümläut ☕', '>>>???'])(
    'encodes the token %s in characters that a header allows',
    (token) => {
      const [ours, offered = ''] = socketProtocols(token);

      expect(ours).toBe('hearth.v1');
      expect(offered).toMatch(/^bearer\.[\w-]+$/);
      expect(Buffer.from(offered.slice(7), 'base64url').toString()).toBe(token);
    },
  );

  test('carries no token if none is needed', () => {
    expect(socketProtocols(null)).toEqual(['hearth.v1']);
  });
});
