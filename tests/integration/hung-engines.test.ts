/** @module-tag slow */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, replyOf } from '../support/clients/caller.ts';
import { type FakeLlm, startFakeLlm } from '../support/fakes/fake-llm.ts';
import { type FakePiper, startFakePiper } from '../support/fakes/fake-piper.ts';
import { type FakeStt, hearsAfter, startFakeStt } from '../support/fakes/fake-stt.ts';
import { type Assistant, isReady, startAssistant } from '../support/servers/assistant.ts';
import { type FreezingProxy, startFreezingProxy } from '../support/servers/freezing-proxy.ts';
import { type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { recordingOf, spokenAnswerOf, wordsIn } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';

const patient = { timeout: 60_000 };

let redis: OwnRedis;
let llm: FakeLlm;
let stts: FakeStt[];
let piper: FakePiper;
let model: FreezingProxy;
let hearing: FreezingProxy;

beforeAll(async () => {
  [redis, llm, piper] = await Promise.all([startRedis(), startFakeLlm(), startFakePiper()]);
  stts = await Promise.all([1, 2].map(() => startFakeStt({ installed: ['whisper'], hears: slowly })));
  [model, hearing] = await Promise.all([startFreezingProxy(llm.url), startFreezingProxy(stts[0]?.url ?? '')]);
});
afterAll(async () => {
  for (const part of [model, hearing, llm, piper, ...(stts ?? []), redis]) await part?.stop();
});

/** Long enough to show, even on a busy machine, that the server answers health checks during its work. */
const slowly: Parameters<FakeStt['hears']>[0] = (call) => hearsAfter(750, wordsIn(call));

let assistant: Assistant | undefined;
async function assistantWith(sttUrl: string): Promise<Assistant> {
  assistant = await startAssistant({
    redisUrl: redis.url,
    llmUrl: model.url,
    sttUrl,
    ttsUrl: piper.url,
  });
  return assistant;
}
afterEach(async () => {
  model.thaw();
  hearing.thaw();
  await assistant?.stop();
  assistant = undefined;
});

describe('hanging engines', () => {
  test(
    'cost one wait, are then reported at once, and are used again when they continue',
    patient,
    async () => {
      const { ask, voice, health } = await assistantWith(hearing.url);
      const clock = recordingOf('What time is it?');
      spokenAnswerOf(await voice(clock));
      model.freeze();
      hearing.freeze();

      const first = await Promise.all([ask('How are you?'), voice(clock)]);
      const [again, heard, skill] = await Promise.all([
        ask('How are you now?'),
        voice(clock),
        ask('What time is it?'),
      ]);
      model.thaw();
      hearing.thaw();
      await isReady({ health });

      expect(first.map(errorOf)).toEqual([
        { status: 504, code: 'llm_timeout' },
        { status: 504, code: 'stt_timeout' },
      ]);
      expect([again, heard].map(errorOf)).toEqual([
        { status: 503, code: 'llm_unavailable' },
        { status: 503, code: 'stt_unavailable' },
      ]);
      expect(again.text).toContain('The language model does not answer.');
      expect(heard.text).toContain('The speech recognition does not answer.');
      expect(replyOf(skill)).toMatch(/^It is /);
      expect(replyOf(await ask('And now?'))).toBe('Yes.');
      expect(spokenAnswerOf(await voice(clock)).heard).toBe('What time is it?');
    },
  );

  test('are detected before any request waits', patient, async () => {
    const { ask, health } = await assistantWith(stts[1]?.url ?? '');
    model.freeze();

    await waitFor(async () => (await health()).engines.llm.state === 'failed', { withinMs: 30_000 });
    const answer = await ask('How are you?');

    expect(errorOf(answer)).toEqual({ status: 503, code: 'llm_unavailable' });
  });

  test('cost one recording a wait if another server answers', patient, async () => {
    const { voice } = await assistantWith([hearing.url, stts[1]?.url].join(','));
    const words = ['One.', 'Two.', 'Three.', 'Four.'].map(recordingOf);
    // The server of a recording is random, and a server without one has not answered a liveness check yet.
    const hasHeard = stts[0]?.calls.length ?? 0;
    await waitFor(async () => {
      spokenAnswerOf(await voice(recordingOf('Hello.')));
      return (stts[0]?.calls.length ?? 0) > hasHeard;
    });
    hearing.freeze();

    const first = await Promise.all(words.map((recording) => voice(recording)));
    const later = await Promise.all(words.map((recording) => voice(recording)));

    expect(first.map((answer) => spokenAnswerOf(answer).reply)).toEqual(words.map(() => 'Yes.'));
    expect(later.map((answer) => spokenAnswerOf(answer).reply)).toEqual(words.map(() => 'Yes.'));
  });
});
