/** @module-tag slow */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { queuePrefix } from '../../api/src/jobs/queues.ts';
import { type Answer, errorOf } from '../support/clients/caller.ts';
import { hangs } from '../support/fakes/fake-llm.ts';
import { neverSpeaks, type Voicing } from '../support/fakes/fake-piper.ts';
import { hearsAfter, inTurn, neverHears } from '../support/fakes/fake-stt.ts';
import { isReady, type RunningApi, startApi } from '../support/servers/assistant.ts';
import { type RunningProcess, startProcess } from '../support/servers/processes.ts';
import {
  recordingOf,
  spokenAnswerOf,
  startVoiceEngines,
  startVoiceHousehold,
  type VoiceHousehold,
} from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

describe('a worker that is killed', () => {
  type Engines = Awaited<ReturnType<typeof startVoiceEngines>>;
  let all: readonly [Engines, Engines];
  /** Two workers, each with engines of its own, which show the one that works. */
  let both: { engines: Engines; worker: RunningProcess }[] = [];
  let api: RunningApi;
  const kill = async (isBusy: (engines: Engines) => boolean) => {
    const { worker } = await waitFor(() => both.find(({ engines }) => isBusy(engines)) ?? false);
    await worker.end('SIGKILL');
  };
  const calls = (kind: 'stt' | 'llm') => all[0][kind].calls.length + all[1][kind].calls.length;

  beforeAll(async () => {
    all = await Promise.all([startVoiceEngines(), startVoiceEngines()]);
    api = await startApi(all[0].urls);
  });
  beforeEach(async () => {
    for (const engines of all) engines.forget();
    const start = async (engines: Engines) => {
      const { llmUrl, sttUrl, ttsUrl } = engines.urls;
      const env = { REDIS_URL: all[0].urls.redisUrl, LLM_URL: llmUrl, STT_URL: sttUrl, TTS_URL: ttsUrl };
      const worker = await startProcess('worker', env);
      // A voice that has not proved itself yet is replaced by that of last resort.
      const engineStates = ['stt', 'llm', 'tts'].map((name) => `"engine":"${name}","state":"ready"`);
      await waitFor(() => engineStates.every((each) => worker.output().includes(each)), {
        what: 'a worker and its engines',
      });
      return { engines, worker };
    };
    both = await Promise.all(all.map(start));
    await isReady(api);
  });
  afterEach(async () => {
    await Promise.all(both.map(({ worker }) => worker.end('SIGKILL')));
  });
  afterAll(async () => {
    await api?.stop();
    await Promise.all(all.map((engines) => engines.stop()));
  });

  test('while it transcribes is replaced by another, and the caller notices only the delay', async () => {
    const hears = inTurn(neverHears, 'What is the capital of France?');
    for (const { stt } of all) stt.hears(hears);
    const pending = api.voice(recordingOf('?'));

    await kill(({ stt }) => stt.busy === 1);
    const answer = await pending;

    expect(spokenAnswerOf(answer)).toMatchObject({ heard: 'What is the capital of France?', reply: 'Yes.' });
    expect(calls('stt')).toBe(2);
  });

  test('while it speaks is replaced by another', async () => {
    const voices: Voicing[] = [neverSpeaks];
    const spoken: Voicing = () => Buffer.from(soundOfOneWord);
    for (const { piper } of all) piper.speaks((call) => (voices.shift() ?? spoken)(call));
    const pending = api.voice(recordingOf('Say yes.'));

    await kill(({ piper }) => piper.busy === 1);
    const answer = await pending;

    expect(spokenAnswerOf(answer)).toMatchObject({ reply: 'Yes.', sound: { sampleRateHz: 16_000 } });
    expect(calls('llm')).toBe(1);
  });

  test('while the model writes fails the turn, which is not retried', async () => {
    for (const { llm } of all) llm.answers(() => hangs);
    const pending = api.voice(recordingOf('Doomed?'));

    await kill(({ llm }) => llm.busy === 1);
    const answer = await pending;

    expect(errorOf(answer)).toEqual({ status: 503, code: 'worker_unavailable' });
    expect(calls('llm')).toBe(1);
  });
});

describe('questions that wait for the language model', () => {
  let house: VoiceHousehold;
  beforeAll(async () => {
    house = await startVoiceHousehold({ slots: 1 });
  });
  afterAll(() => house?.stop());

  test('are answered in order of arrival, spoken ones first', async () => {
    const { assistant, llm, store } = house;
    const release = Promise.withResolvers<void>();
    llm.answers(() => async (wire) => {
      await release.promise;
      wire.begin();
      wire.delta({ content: 'Yes.' });
      wire.end();
    });
    const taken = async () => llm.calls.length + (await store.zcard(`${queuePrefix}:think:prioritized`));
    const answers: Promise<Answer>[] = [];
    const ask = async (asked: Promise<Answer>) => {
      answers.push(asked);
      await waitFor(async () => (await taken()) === answers.length, { what: 'it is taken in hand' });
    };

    await ask(assistant.ask('Busy?', { client: '0' }));
    await ask(assistant.ask('Typed first?', { client: '1' }));
    await ask(assistant.ask('Typed second?', { client: '2' }));
    await ask(house.say('Spoken first?', { client: '3' }));
    await ask(house.say('Spoken second?', { client: '4' }));
    release.resolve();
    await Promise.all(answers);

    expect(llm.calls.map(({ question }) => question)).toEqual([
      'Busy?',
      'Spoken first?',
      'Spoken second?',
      'Typed first?',
      'Typed second?',
    ]);
  });
});

describe('while Redis', () => {
  let house: VoiceHousehold;
  beforeAll(async () => {
    house = await startVoiceHousehold();
  });
  beforeEach(() => house.forget());
  afterAll(() => house?.stop());

  const worksAgain = () =>
    waitFor(async () => (await house.say('Back?')).status === 200, { what: 'it works' });

  test.each([
    ['it is transcribed', () => house.stt.hears(() => neverHears), () => house.stt.busy === 1],
    ['the model thinks', () => house.llm.answers(() => hangs), () => house.llm.busy === 1],
    ['the voice speaks', () => house.piper.speaks(neverSpeaks), () => house.piper.busy === 1],
  ])(
    'dies as %s, an answer comes while it is still away',
    async (stage, play, reached) => {
      // A missing voice does not delay available words.
      const hasWords = stage === 'the voice speaks';
      // A cached sentence would need no synthesis.
      if (hasWords) house.llm.answers(() => 'This is new.');
      play();
      const pending = house.say('Lost?');
      await waitFor(reached);
      if (hasWords)
        await waitFor(async () => (await house.store.llen('hearth:conversation:api:exchanges')) > 0);

      await house.redis.kill();
      const answer = await pending;
      house.forget();
      await house.redis.revive();

      if (!hasWords) expect(errorOf(answer)).toEqual({ status: 503, code: 'redis_unavailable' });
      else expect(spokenAnswerOf(answer)).toMatchObject({ reply: 'This is new.', sound: null });
      await worksAgain();
    },
    40_000,
  );

  test('is away, recordings are refused, and accepted again when it is back', async () => {
    await house.redis.kill();

    const answers = await Promise.all([house.say('Lost?'), house.say('Lost too?')]);
    await house.redis.revive();

    for (const answer of answers) {
      expect(errorOf(answer)).toEqual({ status: 503, code: 'redis_unavailable' });
    }
    await worksAgain();
  });

  test('hangs, recordings are refused meanwhile', async () => {
    await house.redis.freeze();

    const answer = await house.say('Frozen?');
    await house.redis.thaw();

    expect(errorOf(answer)).toEqual({ status: 503, code: 'redis_unavailable' });
    await worksAgain();
  });
});

test('a recording that takes long does not count as lost', async () => {
  const house = await startVoiceHousehold();
  // Longer than a dead worker's job stays locked.
  house.stt.hears(() => hearsAfter(8_000, 'Patience.'));

  const answer = await house.say('Patience.');

  expect(spokenAnswerOf(answer)).toMatchObject({ heard: 'Patience.', reply: 'Yes.' });
  expect(house.stt.calls).toHaveLength(1);
  await house.stop();
});

/** Sound at a rate other than Piper's, so that it is recognizable. */
const soundOfOneWord = recordingOf('sound');
