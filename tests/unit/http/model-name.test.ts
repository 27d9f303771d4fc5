import { describe, expect, test } from 'vitest';
import { roomOfModel } from '../../../api/src/http/model-name.ts';

describe('the room in a model name', () => {
  test.each([
    ['assistant@kitchen', 'kitchen'],
    ['assistant@ Living Room ', 'Living Room'],
    ['assistant@küche@home', 'küche@home'],
  ])('%j is in %j', (model, room) => {
    expect(roomOfModel(model)).toBe(room);
  });

  test.each([
    'assistant',
    'assistant@',
    'assistant@ ',
    'gpt@kitchen',
    `assistant@${'a'.repeat(101)}`,
    'assistant@a\nb',
    7,
    undefined,
  ])('%j has no room', (model) => {
    expect(roomOfModel(model)).toBeNull();
  });
});
