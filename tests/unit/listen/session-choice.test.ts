import { describe, expect, test } from 'vitest';
import { createSessionChoice, type SessionChoice } from '../../../api/src/listen/session-choice.ts';
import { nothingChosen } from '../../../api/src/satellites/household-choice.ts';

const first: SessionChoice = {
  client: 'kitchen',
  room: 'kitchen',
  endpointing: 'server',
  end_silence_ms: 600,
};

describe('the setting of a satellite', () => {
  test.each([
    { what: 'nothing', update: {}, becomes: first },
    { what: 'another room', update: { room: 'bath' }, becomes: { ...first, room: 'bath' } },
    { what: 'no room', update: { room: null }, becomes: { ...first, room: null } },
    { what: 'no name', update: { client: null }, becomes: { ...first, client: null } },
    { what: 'a button', update: { endpointing: 'manual' }, becomes: { ...first, endpointing: 'manual' } },
  ] as const)('for $what changes only that', ({ update, becomes }) => {
    const choice = createSessionChoice(first, () => nothingChosen);

    expect(choice.update(update)).toEqual(becomes);
  });

  test.each([
    { what: 'follows the household', update: {}, silenceMs: 900 },
    { what: 'is its own once it says so', update: { end_silence_ms: 600 }, silenceMs: 600 },
  ])('for the end silence $what', ({ update, silenceMs }) => {
    const choice = createSessionChoice(first, () => nothingChosen);

    choice.update(update);
    choice.endAfter(900);

    expect(choice.now.end_silence_ms).toBe(silenceMs);
  });

  test("yields to the household's setting for its name, and applies again under another name", () => {
    const choice = createSessionChoice(first, (client) =>
      client === 'kitchen' ? { room: 'bath', wake: 'word', language: 'de' } : nothingChosen,
    );

    expect(choice.now).toEqual({ ...first, room: 'bath', wake: 'word', language: 'de' });
    expect(choice.update({ room: 'office' })).toMatchObject({ room: 'bath' });
    expect(choice.update({ client: 'shelf' })).toEqual({ ...first, client: 'shelf', room: 'office' });
  });
});
