import { expect, test, vi } from 'vitest';
import { createLogEvents } from '../../../api/src/http/log-stream.ts';
import type { LogLine } from '../../../api/src/logs/log-line.ts';
import { waitFor } from '../../support/wait-for.ts';

const line = (id: number, message: string): LogLine => ({
  id: `${id}-0`,
  at: '2026-11-20T22:00:00.000Z',
  level: 'info',
  process: 'api',
  instance: 'i',
  message,
  turn: null,
});

const read = (events: ReturnType<typeof createLogEvents>) => String(events.readable.read() ?? '');

test('a slow reader misses lines, learns how many, and never costs memory', () => {
  const events = createLogEvents({ onClose: () => undefined });
  for (let id = 0; id < 2_000; id += 1) events.tell(line(id, 'x'.repeat(1_000)));

  const held = events.readable.readableLength;
  const first = read(events);
  events.tell(line(9_999, 'newest'));
  const next = read(events);

  expect(held).toBeLessThan(300 * 1024);
  const told = first.match(/event: line/g)?.length ?? 0;
  expect(next).toContain(`event: missed\ndata: {"lines":${2_000 - told}}\n\nevent: line\nid: 9999-0\n`);
  events.end();
});

test('a reader that stops reading is disconnected', () => {
  vi.useFakeTimers();
  let isClosed = false;
  const events = createLogEvents({
    onClose: () => {
      isClosed = true;
    },
  });
  for (let id = 0; id < 2_000; id += 1) events.tell(line(id, 'x'.repeat(1_000)));

  vi.advanceTimersByTime(120_000);

  expect(events.readable.destroyed).toBe(true);
  vi.useRealTimers();
  return waitFor(() => isClosed);
});

test('a reader receives keep-alive comments', () => {
  vi.useFakeTimers();
  const events = createLogEvents({ onClose: () => undefined });

  vi.advanceTimersByTime(15_000);

  expect(read(events)).toBe(': still here\n');
  events.end();
  vi.useRealTimers();
});
