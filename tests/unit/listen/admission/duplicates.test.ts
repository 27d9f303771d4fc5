import { describe, expect, test } from 'vitest';
import { isDuplicate } from '../../../../api/src/listen/admission/duplicates.ts';

/** The claims that all api processes share. */
function sharedClaims() {
  const owners = new Map<string, string>();
  return async (key: string, owner: string) => {
    if (!owners.has(key)) owners.set(key, owner);
    return owners.get(key) ?? '';
  };
}

const kitchen = { transcript: 'What time is it?', conversation: 'home', room: 'kitchen', begunAgoMs: 1_500 };

describe('the same words', () => {
  test.each([
    ['in the same room', { ...kitchen, conversation: 'other' }, true],
    ['in the same conversation', { ...kitchen, room: 'bath' }, true],
    ['in the same conversation, without a room', { ...kitchen, room: null }, true],
    ['written otherwise', { ...kitchen, transcript: 'what time is it' }, true],
    ['elsewhere', { ...kitchen, conversation: 'other', room: 'bath' }, false],
    ['that are others', { ...kitchen, transcript: 'What day is it?' }, false],
    ['of which there are none', { ...kitchen, transcript: '...' }, false],
  ])('%s', async (_where, utterance, isOne) => {
    const claim = sharedClaims();
    await isDuplicate(claim, 'first', kitchen);

    expect(await isDuplicate(claim, 'second', utterance)).toBe(isOne);
  });

  test('may be said twice to one satellite', async () => {
    const claim = sharedClaims();

    expect([await isDuplicate(claim, 'first', kitchen), await isDuplicate(claim, 'first', kitchen)]).toEqual([
      false,
      false,
    ]);
  });

  test('heard by many at once are answered by exactly one', async () => {
    const claim = sharedClaims();
    const satellites = ['a', 'b', 'c', 'd'];

    const answered = await Promise.all(satellites.map((each) => isDuplicate(claim, each, kitchen)));

    expect(answered.filter((isOne) => !isOne)).toHaveLength(1);
  });
});
