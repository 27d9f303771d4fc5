import { expect, test } from 'vitest';
import { createOwnVoice } from '../../../../api/src/listen/playback/own-voice.ts';
import { createFakeClock } from '../../../support/fakes/fake-clock.ts';
import { createFakeTurnClient, voiceSound } from '../../../support/fakes/fake-turn-client.ts';

/** The assistant's own voice, whose sentences have a length set by the test. */
function setUp() {
  const turnClient = createFakeTurnClient();
  const manner = { ms: 500 };
  const said: string[] = [];
  turnClient.speaks(async (text) => {
    said.push(text);
    return voiceSound(manner.ms);
  });
  const clock = createFakeClock();
  const voice = createOwnVoice({
    synthesizeSentence: turnClient.synthesizeSentence,
    clock,
    words: { filler: () => 'One moment.', failure: (code) => `That failed: ${code}.` },
    languages: ['en'],
    manner: () => String(manner.ms),
  });
  return { turnClient, clock, manner, said, voice };
}

test('the sentence for a failure is synthesized once', async () => {
  const { said, voice } = setUp();

  await voice.reason('internal');
  await voice.reason('internal');

  expect(said).toEqual(['That failed: internal.']);
});

test('the sentence for a failure is synthesized again for another voice', async () => {
  const { manner, voice } = setUp();
  await voice.reason('internal');

  manner.ms = 1_000;
  const { sound } = await voice.reason('internal');

  expect(sound).toEqual(voiceSound(1_000));
});

test('the previous voice speaks the sentence if the new one cannot', async () => {
  const { turnClient, manner, voice } = setUp();
  await voice.reason('internal');

  manner.ms = 1_000;
  turnClient.speaks(async () => null);
  const { sound } = await voice.reason('internal');

  expect(sound).toEqual(voiceSound(500));
});

test('the sentences for failures are retried until a voice has spoken them all', async () => {
  const { turnClient, clock, said, voice } = setUp();
  const speaks = async (text: string) => {
    said.push(text);
    return voiceSound(500);
  };
  turnClient.speaks(async () => null);
  await voice.prepare();

  await clock.pass(5_000);
  turnClient.speaks(speaks);
  await clock.pass(10_000);

  expect(said).toContain('That failed: redis_unavailable.');
  expect((await voice.reason('internal')).sound).toEqual(voiceSound(500));
  expect([said.length, clock.waiting]).toEqual([8, 0]);
});

test('no sentence is retried for a process that ends', async () => {
  const { turnClient, clock, voice } = setUp();
  turnClient.speaks(async () => null);
  await voice.prepare();

  voice.stop();

  expect(clock.waiting).toBe(0);
});

test('a sentence that many satellites say at once is synthesized once', async () => {
  const { said, voice } = setUp();

  const sounds = await Promise.all(Array.from({ length: 20 }, () => voice.say('Dinner is ready.')));

  expect(said).toEqual(['Dinner is ready.']);
  expect(sounds).toEqual(Array.from({ length: 20 }, () => voiceSound(500)));
});
