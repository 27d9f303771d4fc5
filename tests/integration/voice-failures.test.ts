import { spawnSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { durationMs } from '../../api/src/audio/pcm.ts';
import { type Answer, errorOf } from '../support/clients/caller.ts';
import { dies, hangs, says } from '../support/fakes/fake-llm.ts';
import { failsOn, neverSpeaks } from '../support/fakes/fake-piper.ts';
import { failsToHear, neverHears } from '../support/fakes/fake-stt.ts';
import { isReady } from '../support/servers/assistant.ts';
import {
  spokenAnswerOf,
  startVoiceHousehold,
  type VoiceHousehold,
} from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const hasEspeak = spawnSync('espeak-ng', ['--version']).status === 0;
if (!hasEspeak)
  console.warn('espeak-ng is not installed: the voice that is left without Piper is not tested.');

/** Longer than the timeout of Piper. */
const turnDeadlineMs = 12_000;
/** For calls that only this ends. */
const shortDeadlineMs = 3_000;
const question = 'What is the capital of France?';
const paris = 'The capital of France is Paris.';

let house: VoiceHousehold;
beforeAll(async () => {
  house = await startVoiceHousehold({ limits: { turnDeadlineMs } });
});
beforeEach(() => {
  house.forget();
  house.llm.answers(() => paris);
});
afterAll(() => house?.stop());

/** Stops an engine for one test, either suddenly or so that its absence is already known. */
async function without(engine: 'stt' | 'llm' | 'tts', how: 'suddenly' | 'for a while'): Promise<void> {
  const server = { stt: house.stt, llm: house.llm, tts: house.piper }[engine];
  await server.stop();
  if (how === 'suddenly') return;
  // The first caller that needs it finds out.
  await house.say('Anybody?', { client: 'before' });
  await waitFor(async () => (await house.assistant.health()).engines[engine].state !== 'ready', {
    what: `${engine} is known to be away`,
  });
}

afterEach(async () => {
  house.forget();
  for (const engine of [house.stt, house.llm, house.piper]) await engine.start().catch(() => undefined);
  await isReady(house.assistant);
});

describe.skipIf(!hasEspeak)('the fallback voice (needs espeak-ng)', () => {
  const isSpoken = (answer: Answer) => {
    const { heard, reply, via, sound } = spokenAnswerOf(answer);
    expect({ heard, reply, via }).toEqual({ heard: question, reply: paris, via: 'local' });
    expect(sound && durationMs(sound)).toBeGreaterThan(1_000);
  };

  test.each(['suddenly', 'for a while'] as const)('speaks when Piper is away, %s', async (how) => {
    await without('tts', how);

    const answer = await house.say(question);

    isSpoken(answer);
  });

  test.each([
    ['an error', 500],
    ['something else than sound', Buffer.from('<html>no sound</html>')],
    ['no answer', null],
  ])('speaks when Piper gives %s', async (_, played) => {
    house.piper.speaks(() => played);

    isSpoken(await house.say(question));
  });

  test('speaks the one sentence that Piper cannot say', async () => {
    house.llm.answers(() => says('This one is easy. This one is hard. This one is easy again.'));
    house.piper.speaks(failsOn('hard'));

    const { reply, sound } = spokenAnswerOf(await house.say(question));

    expect(reply).toBe('This one is easy. This one is hard. This one is easy again.');
    const byPiper = ['This one is easy.', 'This one is easy again.'];
    const piperMs = byPiper.reduce((sum, text) => sum + text.length * 10, 0);
    // espeak-ng speaks at a human pace: far longer than the fake would have taken.
    expect(sound && durationMs(sound)).toBeGreaterThan(piperMs + 700);
  });

  test('yields as soon as Piper is back', async () => {
    await without('tts', 'for a while');
    await house.piper.start();
    await isReady(house.assistant);
    house.piper.spoken.length = 0;

    const { sound } = spokenAnswerOf(await house.say('Anything new?'));

    expect(house.piper.texts).toEqual([paris]);
    expect(sound?.samples.length).toBeGreaterThan(0);
  });
});

/** With the usual turn deadline: the voice starts only after the timeout of Piper, and needs time itself. */
describe.skipIf(!hasEspeak)('the fallback voice behind a hanging Piper (needs espeak-ng)', () => {
  let patient: VoiceHousehold;
  beforeAll(async () => {
    patient = await startVoiceHousehold();
  });
  afterAll(() => patient?.stop());

  test('speaks after one wait for all sentences', { tags: 'slow' }, async () => {
    const { llm, piper, assistant } = patient;
    llm.answers(() => says(`${paris} It lies on the Seine. It is large.`));
    piper.speaks(neverSpeaks);

    const pending = patient.say(question);
    await waitFor(() => piper.texts.length === 2, { what: 'two sentences at Piper' });
    const leftBefore = piper.left;
    const { sound } = spokenAnswerOf(await pending);

    // Nothing had timed out when the second sentence arrived, so their waits overlap.
    expect(leftBefore).toBe(0);
    expect(sound && durationMs(sound)).toBeGreaterThan(2_000);
    expect((await assistant.health()).engines.tts).toMatchObject({
      state: 'failed',
      reason: 'The voice does not answer.',
    });
  });
});

describe('without any voice', () => {
  let silent: VoiceHousehold;
  beforeAll(async () => {
    silent = await startVoiceHousehold({ env: { ESPEAK: '/nonexistent/espeak-ng' } });
  });
  beforeEach(() => silent.forget());
  afterAll(() => silent?.stop());

  test('the reply has words and its sound is null', async () => {
    await silent.piper.stop();

    const answer = await silent.say('Hello?');

    expect(spokenAnswerOf(answer)).toEqual({ heard: 'Hello?', reply: 'Yes.', via: 'local', sound: null });
    await silent.piper.start();
    await isReady(silent.assistant);
  });

  test('the whole reply is silent if one sentence of it is', async () => {
    silent.llm.answers(() => says('Take the red one. Never take the blue one. That is all.'));
    silent.piper.speaks(failsOn('Never'));

    const { reply, sound } = spokenAnswerOf(await silent.say('Which one?'));

    expect(reply).toBe('Take the red one. Never take the blue one. That is all.');
    expect(sound).toBeNull();
  });
});

describe('the speech recognition', () => {
  test.each(['suddenly', 'for a while'] as const)('that is away, %s, is reported as such', async (how) => {
    await without('stt', how);

    const answer = await house.say(question);

    expect(errorOf(answer)).toEqual({ status: 503, code: 'stt_unavailable' });
    expect(answer.headers['retry-after']).toBe('5');
    expect(house.llm.calls).toEqual([]);
  });

  test.each([
    ['is loading', failsToHear(503), 503, 'stt_unavailable'],
    ['has too much to do', failsToHear(429, 3), 429, 'overloaded'],
    ['refuses', failsToHear(400), 502, 'stt_bad_answer'],
    ['breaks', failsToHear(500), 502, 'stt_bad_answer'],
  ])('that %s has its own error code', async (_, play, status, code) => {
    house.stt.hears(() => play);

    const answer = await house.say(question);

    expect(errorOf(answer)).toEqual({ status, code });
    expect(answer.text).not.toContain('secret path');
  });

  test('works again without help', async () => {
    await without('stt', 'for a while');
    await house.stt.start();

    await waitFor(async () => (await house.say(question)).status === 200, { what: 'it works again' });
  });
});

describe('the language model', () => {
  test.each(['suddenly', 'for a while'] as const)('that is away, %s, is reported as such', async (how) => {
    await without('llm', how);

    const answer = await house.say(question);

    expect(errorOf(answer)).toEqual({ status: 503, code: 'llm_unavailable' });
  });

  test('that dies in the middle of a sentence leaves no partial reply', async () => {
    house.llm.answers(() => dies);

    const answer = await house.say(question, { client: 'cut off' });

    expect(errorOf(answer)).toEqual({ status: 503, code: 'llm_unavailable' });
    await isIdle(house);
  });

  test('is not needed to report silence', async () => {
    await without('llm', 'for a while');
    house.stt.hears(null);

    expect(spokenAnswerOf(await house.say(''))).toMatchObject({ heard: '', reply: 'I did not catch that.' });
  });
});

describe('with the turn, the server drops', () => {
  let hurried: VoiceHousehold;
  beforeAll(async () => {
    hurried = await startVoiceHousehold({ limits: { turnDeadlineMs: shortDeadlineMs } });
  });
  beforeEach(() => hurried.forget());
  afterAll(() => hurried?.stop());

  test('a silent speech recognition', { tags: 'slow' }, async () => {
    hurried.stt.hears(() => neverHears);

    const answer = await hurried.say(question);

    expect(errorOf(answer)).toEqual({ status: 504, code: 'turn_timeout' });
    expect(answer.ms).toBeGreaterThan(shortDeadlineMs - 100);
    await waitFor(() => hurried.stt.busy === 0, { what: 'nobody listens any more' });
  });

  test('a language model that falls silent', { tags: 'slow' }, async () => {
    hurried.llm.answers(() => hangs);

    const answer = await hurried.say(question);

    expect(errorOf(answer)).toEqual({ status: 504, code: 'turn_timeout' });
    await isIdle(hurried);
  });
});

describe('a disabled engine', () => {
  test.each([
    ['STT_URL', { STT_URL: 'off' }, 'stt_unavailable', /speech recognition is switched off/],
    ['LLM_URL', { LLM_URL: 'off' }, 'llm_unavailable', /language model is switched off/],
  ])('%s is reported for every recording that needs it', async (_, env, code, sentence) => {
    const without = await startVoiceHousehold({ env });

    const answer = await without.say(question);

    expect(errorOf(answer)).toEqual({ status: 503, code });
    expect(answer.text).toMatch(sentence);
    await without.stop();
  });

  test.skipIf(!hasEspeak)('TTS_URL leaves the fallback voice (needs espeak-ng)', async () => {
    const without = await startVoiceHousehold({ env: { TTS_URL: 'off' } });

    const { sound } = spokenAnswerOf(await without.say(question));

    expect(sound && durationMs(sound)).toBeGreaterThan(200);
    await without.stop();
  });
});

const isIdle = ({ stt, llm, piper, assistant }: VoiceHousehold) =>
  waitFor(() => stt.busy + llm.busy + piper.busy + assistant.openTurns() === 0, {
    what: 'nobody works on anything',
  });
