import { describe, expect, test } from 'vitest';
import { nothing } from '../../../../api/src/respond/home/understand/understood.ts';
import { refusalOfUnknown } from '../../../../api/src/respond/home/unknown-command.ts';

const lamp = { ...nothing, target: 'the lamp', bare: 'lamp', kinds: ['light'] as const };
const fan = { ...nothing, target: 'the fan', bare: 'fan', kinds: ['power'] as const };
/** A house with lamps and plugs in its kitchen, and nothing elsewhere. */
const mayHave = (_: unknown, room: string | null) => room === null || room === 'Kitchen';
const inKitchen = { room: 'Kitchen', mayHave };
const inBedroom = { room: 'Bedroom', mayHave };
const nowhere = { room: null, mayHave };

describe('a command that Home Assistant does not know', () => {
  test('and that fits any room is asked back', () => {
    expect(refusalOfUnknown({ ...lamp, needsRoom: true }, nowhere)).toEqual({
      reply: 'which_room',
      values: {},
    });
  });

  test('is impossible if such things exist', () => {
    const impossible = { reply: 'not_possible', values: { target: 'the lamp' } };

    expect(refusalOfUnknown(lamp, inKitchen)).toEqual(impossible);
    expect(refusalOfUnknown({ ...lamp, isPlaced: true, place: 'Kitchen' }, inBedroom)).toEqual(impossible);
    expect(refusalOfUnknown({ ...lamp, isEverywhere: true }, inBedroom)).toEqual(impossible);
  });

  test('is impossible for a thing known by name', () => {
    expect(refusalOfUnknown({ ...fan, isNamed: true }, inBedroom)?.reply).toBe('not_possible');
  });

  test('names a thing that may be missing', () => {
    expect(refusalOfUnknown(lamp, inBedroom)).toEqual({
      reply: 'not_known_here',
      values: { bare: 'lamp', room: 'Bedroom' },
    });
    expect(refusalOfUnknown({ ...lamp, isPlaced: true, place: 'Garage' }, inKitchen)).toEqual({
      reply: 'not_known',
      values: { bare: 'lamp' },
    });
  });

  test('is not called impossible if only others of the kind exist', () => {
    expect(refusalOfUnknown(fan, inKitchen)?.reply).toBe('not_known_here');
    expect(refusalOfUnknown({ ...lamp, isSpecial: true }, inKitchen)?.reply).toBe('not_known_here');
  });

  test('may be for another listener when it names nothing', () => {
    expect(refusalOfUnknown(nothing, inKitchen)).toBeNull();
  });
});
