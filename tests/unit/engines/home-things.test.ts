import { expect, test } from 'vitest';
import { thingsByRoom } from '../../../api/src/engines/home-things.ts';

const thing = (id: string, name: string) => ({ id, name, aliases: [], deviceClass: null });
const house = {
  floors: [],
  isLimited: false,
  areas: [
    { name: 'Kitchen', ids: ['light.b', 'scene.movie'], device: null },
    { name: 'Attic', ids: ['lock.a'], device: null },
  ],
};

test('the list shows things by room and name, those without a room last, and only exposed ones', () => {
  const facts = {
    ...house,
    things: [
      thing('fan.c', 'Fan'),
      thing('light.b', 'Lamp'),
      thing('scene.movie', 'Film'),
      thing('lock.a', 'Door'),
      thing('light.x', 'Secret'),
    ],
  };
  const states = { 'fan.c': 'on', 'light.b': 'off', 'scene.movie': '2026-11-24T10:00:00+00:00' };
  const exposed = new Set(['fan.c', 'light.b', 'scene.movie', 'lock.a']);

  expect(thingsByRoom({ facts, states, exposed })).toEqual({
    limited: false,
    total: 4,
    rooms: [
      { room: 'Attic', things: [{ id: 'lock.a', name: 'Door', kind: 'lock', state: 'unknown' }] },
      {
        room: 'Kitchen',
        things: [
          { id: 'scene.movie', name: 'Film', kind: 'scene', state: null },
          { id: 'light.b', name: 'Lamp', kind: 'light', state: 'off' },
        ],
      },
      { room: null, things: [{ id: 'fan.c', name: 'Fan', kind: 'fan', state: 'on' }] },
    ],
  });
});

test('the list shows at most a thousand things, and their total number', () => {
  const ids = Array.from({ length: 1_200 }, (_, at) => `light.number_${at}`);
  const found = thingsByRoom({
    facts: { ...house, things: ids.map((id) => thing(id, id)) },
    states: {},
    exposed: new Set(ids),
  });

  expect([found.total, found.rooms.flatMap(({ things }) => things).length]).toEqual([1_200, 1_000]);
});
