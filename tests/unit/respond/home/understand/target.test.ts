import { describe, expect, test } from 'vitest';
import {
  calledTarget,
  everythingTo,
  joinedTargets,
  namedTarget,
  targetIn,
} from '../../../../../api/src/respond/home/understand/target.ts';

const called = { isAll: false, isSpecial: false };
const kitchen = { from: 0, to: 1 };
const lights = calledTarget('light', { device: { from: 1, to: 2 }, place: kitchen, ...called });
const lamp = calledTarget('light', { device: { from: 0, to: 1 }, place: null, ...called });
const annasLamp = namedTarget('light', { from: 5, to: 7 }, null);

describe('a target', () => {
  test('with its own name is in a known room without naming it', () => {
    expect(annasLamp).toMatchObject({ end: 7, isNamed: true, isPlaced: true, place: null, device: null });
  });

  test("of a kind is in a known room only with the room's name", () => {
    const here = calledTarget('light', { device: { from: 1, to: 2 }, place: 'here', ...called });

    expect([lights, lamp, here].map(({ isPlaced }) => isPlaced)).toEqual([true, false, false]);
  });

  test('is in the room that follows it, but "here" is the room of the speaker', () => {
    const [upstairs, here] = [targetIn(lamp, 3, { from: 1, to: 3 }), targetIn(lamp, 2, 'here')];

    expect(upstairs).toEqual({ ...lamp, end: 3, isPlaced: true, place: { from: 1, to: 3 } });
    expect(here).toEqual({ ...lamp, end: 2, isPlaced: false, place: 'here' });
  });

  test('that is everything has all kinds and no room', () => {
    expect(everythingTo(1)).toMatchObject({ isAll: true, isNamed: true, isPlaced: false, name: null });
  });
});

describe('two targets as one', () => {
  const join = (one = lights, other = annasLamp) =>
    joinedTargets({ from: 0, target: one }, { from: 3, target: { ...other, end: 5 } });

  test('have a name and a room only if both have one', () => {
    expect(join(lights, annasLamp)).toMatchObject({ isNamed: false, isPlaced: true });
    expect(join(annasLamp, annasLamp)).toMatchObject({ isNamed: true, isPlaced: true });
    expect(join(lamp, annasLamp)).toMatchObject({ isNamed: false, isPlaced: false });
  });

  test('are kept apart as parts, and so is a third', () => {
    const two = joinedTargets({ from: 3, target: { ...lamp, end: 4 } }, { from: 5, target: annasLamp });

    const three = joinedTargets({ from: 0, target: lights }, { from: 3, target: two });

    expect(three.parts).toEqual([
      { from: 0, to: 2 },
      { from: 3, to: 4 },
      { from: 5, to: 7 },
    ]);
  });

  test('share no room, no name and no kind', () => {
    expect(join(lights, lights)).toMatchObject({ place: null, name: null, device: null, isSpecial: true });
  });
});
