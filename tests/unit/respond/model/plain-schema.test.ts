import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { faultIn, plainSchema } from '../../../../api/src/respond/model/plain-schema.ts';

const schema = plainSchema({
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Which city.', pattern: '^(a+)+$' },
    days: { type: 'integer', minimum: 1, maximum: 7 },
    unit: { enum: ['C', 'F'] },
    tags: { type: 'array', items: { type: 'string' } },
    place: { $ref: '#/definitions/place' },
  },
  required: ['city', 'gone'],
  definitions: { place: { type: 'object' } },
});

describe('the plain part of a schema', () => {
  test('consists of types, names, choices and bounds', () => {
    expect(schema).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'Which city.' },
        days: { type: 'integer', minimum: 1, maximum: 7 },
        unit: { enum: ['C', 'F'] },
        tags: { type: 'array', items: { type: 'string' } },
        place: {},
      },
      required: ['city'],
    });
  });

  test('is small and finite for any input', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const plain = plainSchema({ type: 'object', properties: value });

        expect(plainSchema(plain)).toEqual(plain);
      }),
    );
  });
});

describe('arguments', () => {
  test.each([
    [{ city: 'Rome' }],
    [{ city: 'Rome', days: 3, unit: 'C', tags: ['a'], place: { any: 'thing' } }],
    [{ city: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' }],
  ])('fit: %j', (args) => {
    expect(faultIn(args, schema)).toBeNull();
  });

  test.each([
    ['Rome', 'arguments: must be an object'],
    [{}, 'arguments: city is missing'],
    [{ city: 5 }, 'arguments.city: must be of the kind string'],
    [{ city: 'Rome', days: 1.5 }, 'arguments.days: must be of the kind integer'],
    [{ city: 'Rome', days: 9 }, 'arguments.days: must be at most 7'],
    [{ city: 'Rome', unit: 'K' }, 'arguments.unit: must be one of C, F'],
    [{ city: 'Rome', tags: ['a', 5] }, 'arguments.tags[1]: must be of the kind string'],
    [{ city: 'Rome', tags: 'a' }, 'arguments.tags: must be a list'],
  ])('do not fit: %j', (args, fault) => {
    expect(faultIn(args, schema)).toBe(fault);
  });

  test('that are missing stay missing, even with a name that every object has', () => {
    const odd = plainSchema({
      type: 'object',
      properties: { constructor: { type: 'string' }, valueOf: { type: 'string' } },
      required: ['constructor'],
    });

    expect([faultIn({}, odd), faultIn({ constructor: 'x' }, odd)]).toEqual([
      'arguments: constructor is missing',
      null,
    ]);
  });
});
