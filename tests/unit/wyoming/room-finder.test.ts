import { beforeEach, expect, test } from 'vitest';
import { createRoomFinder } from '../../../api/src/wyoming/room-finder.ts';

let nowMs: number;
let asked: string[][];
let room: string | null | Error;
let find: ReturnType<typeof createRoomFinder>;
beforeEach(() => {
  [nowMs, asked, room] = [0, [], 'Kitchen'];
  find = createRoomFinder({
    nowMs: () => nowMs,
    ask: async (places) => {
      asked.push([...places]);
      if (room instanceof Error) throw room;
      return room;
    },
  });
});

test('the finder asks for a room once a minute', async () => {
  expect([await find(['s', 'd']), await find(['s', 'd'])]).toEqual(['Kitchen', 'Kitchen']);
  expect(asked).toEqual([['s', 'd']]);

  nowMs = 60_000;
  room = 'Bedroom';
  expect(await find(['s', 'd'])).toBe('Bedroom');
});

test('the finder returns the previous room if Home Assistant does not answer', async () => {
  expect(await find(['s'])).toBe('Kitchen');
  nowMs = 60_000;
  room = new Error('away');

  expect(await find(['s'])).toBe('Kitchen');
  expect(await find(['other'])).toBeNull();
});

test('the finder does not ask for a caller without a device', async () => {
  expect(await find([])).toBeNull();
  expect(asked).toEqual([]);
});

test('the finder forgets old devices', async () => {
  for (let at = 0; at < 201; at += 1) await find([`s${at}`]);
  await find(['s200']);
  await find(['s0']);

  expect(asked).toHaveLength(202);
});
