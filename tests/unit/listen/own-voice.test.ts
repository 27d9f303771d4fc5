import { expect, test } from 'vitest';
import { createOwnVoice } from '../../../api/src/listen/own-voice.ts';
import { createFakeChain, voiceSound } from '../../support/fakes/fake-chain.ts';
import { createFakeClock } from '../../support/fakes/fake-clock.ts';

/** The assistant's own voice, whose sentences have the length that the test sets. */
function setUp() {
  const chain = createFakeChain();
  const manner = { ms: 500 };
  const said: string[] = [];
  chain.speaks(async (text) => {
    said.push(text);
    return voiceSound(manner.ms);
  });
  const voice = createOwnVoice({
    chain,
    clock: createFakeClock(),
    words: { filler: () => 'One moment.', failure: (code) => `That failed: ${code}.` },
    manner: () => String(manner.ms),
  });
  return { chain, manner, said, voice };
}

test('the reason of a failure is made once', async () => {
  const { said, voice } = setUp();

  await voice.reason('internal');
  await voice.reason('internal');

  expect(said).toEqual(['That failed: internal.']);
});

test('the reason of a failure is made anew for another voice', async () => {
  const { manner, voice } = setUp();
  await voice.reason('internal');

  manner.ms = 1_000;
  const { sound } = await voice.reason('internal');

  expect(sound).toEqual(voiceSound(1_000));
});

test('the voice of before tells the reason when the new one cannot', async () => {
  const { chain, manner, voice } = setUp();
  await voice.reason('internal');

  manner.ms = 1_000;
  chain.speaks(async () => null);
  const { sound } = await voice.reason('internal');

  expect(sound).toEqual(voiceSound(500));
});
