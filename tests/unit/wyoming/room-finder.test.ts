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

test('a room is asked for once a minute', async () => {
  expect([await find(['s', 'd']), await find(['s', 'd'])]).toEqual(['Kitchen', 'Kitchen']);
  expect(asked).toEqual([['s', 'd']]);

  nowMs = 60_000;
  room = 'Bedroom';
  expect(await find(['s', 'd'])).toBe('Bedroom');
});

test('the room before is taken where Home Assistant does not say', async () => {
  expect(await find(['s'])).toBe('Kitchen');
  nowMs = 60_000;
  room = new Error('away');

  expect(await find(['s'])).toBe('Kitchen');
  expect(await find(['other'])).toBeNull();
});

test('nobody asks for a caller without a place', async () => {
  expect(await find([])).toBeNull();
  expect(asked).toEqual([]);
});

test('many places are not kept for ever', async () => {
  for (let at = 0; at < 201; at += 1) await find([`s${at}`]);
  await find(['s200']);
  await find(['s0']);

  expect(asked).toHaveLength(202);
});
