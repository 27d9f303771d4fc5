import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeHome, startFakeHome } from '../support/fakes/fake-home.ts';
import {
  spokenAnswerOf,
  startVoiceHousehold,
  type VoiceHousehold,
} from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

let home: FakeHome;
let house: VoiceHousehold;

beforeAll(async () => {
  home = await startFakeHome();
  house = await startVoiceHousehold({ env: home.env });
});
beforeEach(() => {
  house.forget();
  home.forget();
});
afterAll(async () => {
  await house?.stop();
  await home?.stop();
});

const hears = async (text: string, client: string, avgLogprob = -0.2) => {
  house.stt.hears({ text, avgLogprob });
  const { reply, via } = spokenAnswerOf(await house.say('?', { client, room: 'kitchen' }));
  return { reply, via };
};
const doubtful = -1.4;

describe('a command with an uncertain transcript', () => {
  test('is asked back if it cannot be undone, and carried out after a yes', { tags: 'slow' }, async () => {
    const asked = await hears('Unlock the front door.', 'doubt', doubtful);
    expect([asked.reply, home.calls]).toEqual(['Did you say "Unlock the front door"?', []]);

    const done = await hears('Yes.', 'doubt');

    expect(done.via).toBe('home');
    expect(home.stateOf('lock.front_door')).toBe('unlocked');
  });

  test('is left alone after a no', { tags: 'slow' }, async () => {
    await hears('Unlock the front door.', 'no', doubtful);
    await hears('No.', 'no');

    expect([home.stateOf('lock.front_door'), home.calls]).toEqual(['locked', []]);
  });

  test('is carried out at once if a word undoes it', async () => {
    const { reply, via } = await hears('Turn on the lights.', 'light', doubtful);

    expect([reply, via]).toEqual(['Turned on the lights.', 'home']);
    expect(home.stateOf('light.kitchen_ceiling')).toBe('on');
  });
});

describe('the speech recognition', () => {
  test("gets the house's names of rooms and things", async () => {
    const prompt = await waitFor(async () => {
      await hears('What time is it?', 'hints');
      const told = house.stt.calls.at(-1)?.form['prompt'] ?? '';
      return told.includes('Devices') && told;
    });

    expect(prompt).toMatch(/Rooms: .*Garden.*Devices: .*Blinds/s);
  });
});
