import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';

describe('a household that speaks German', () => {
  let house: VoiceHousehold;
  beforeAll(async () => {
    house = await startVoiceHousehold({ env: { HEARTH_LANGUAGE: 'de-AT' } });
  });
  beforeEach(() => house.forget());
  afterAll(() => house?.stop());

  test('is heard in German', async () => {
    const { body } = await house.say('Stell einen Timer auf acht Minuten.');

    expect(body).toMatchObject({ reply: 'Timer, acht Minuten.', via: 'skills' });
    expect(house.stt.calls.map(({ form }) => form['language'])).toEqual(['de']);
  });

  test('has German as the setting, from its environment', async () => {
    const { body } = await house.assistant.call('/admin/pipeline');

    expect(body).toMatchObject({ values: { language: 'de' }, sources: { language: 'environment' } });
  });
});
