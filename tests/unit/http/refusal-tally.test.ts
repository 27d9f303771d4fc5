import { describe, expect, test, vi } from 'vitest';
import { createRefusalTally, type UnloggedRefusals } from '../../../api/src/http/refusal-tally.ts';

function tallied() {
  const told: UnloggedRefusals[] = [];
  const tally = createRefusalTally({ tell: (others) => told.push(others) });
  /** Returns the number of individual log lines. */
  const refuse = (times: number, from: string, status = 401): number =>
    Array.from({ length: times }, () => tally.note({ from, status })).filter(Boolean).length;
  return { ...tally, told, refuse };
}

describe('the log of refusals', () => {
  test('names the first three of a kind, then counts them', () => {
    const { refuse, flush, told } = tallied();

    expect(refuse(7_000, '192.168.1.7')).toBe(3);
    flush();

    expect(told).toEqual([{ from: '192.168.1.7', status: 401, more: 6_997 }]);
  });

  test('names those of another kind or address in any case', () => {
    const { refuse, flush, told } = tallied();
    refuse(100, '192.168.1.7');

    expect([refuse(1, '192.168.1.7', 404), refuse(3, '192.168.1.8')]).toEqual([1, 3]);
    flush();

    expect(told).toEqual([{ from: '192.168.1.7', status: 401, more: 97 }]);
  });

  test('takes a bounded number of lines for any number of addresses', () => {
    const { refuse, flush, told } = tallied();
    const addresses = Array.from({ length: 5_000 }, (_, place) => `10.0.${place >> 8}.${place & 255}`);

    const singly = addresses.reduce((sum, address) => sum + refuse(10, address), 0);
    flush();

    expect(singly).toBe(65 * 3);
    expect(told).toHaveLength(65);
    expect(told.reduce((sum, { more }) => sum + more, singly)).toBe(50_000);
  });

  test('names them again after a minute', () => {
    vi.useFakeTimers();
    const { refuse, told } = tallied();
    refuse(10, '192.168.1.7');

    vi.advanceTimersByTime(60_000);

    expect(told).toEqual([{ from: '192.168.1.7', status: 401, more: 7 }]);
    expect(refuse(10, '192.168.1.7')).toBe(3);
    vi.useRealTimers();
  });
});
