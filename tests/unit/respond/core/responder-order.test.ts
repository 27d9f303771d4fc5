import { expect, test } from 'vitest';
import type { Responder } from '../../../../api/src/respond/core/responder.ts';
import { inOrder } from '../../../../api/src/respond/core/responder-order.ts';

const named = (name: string): Responder => ({ name, respond: async () => null });

test('responders are asked in one order, however they are listed', () => {
  const [home, near, other, skills, askBack] = ['home', 'near', 'other', 'skills', 'ask'].map(named);

  expect(inOrder({ askBack, near: near && other && [near, other], home, skills })).toEqual([
    skills,
    home,
    near,
    other,
    askBack,
  ]);
});

test('a household without a part has no responder in its place', () => {
  expect(inOrder({ home: null, music: undefined, several: [] })).toEqual([]);
});
