import { describe, expect, test } from 'vitest';
import { openLiveSession } from '../../support/live-session.ts';

describe('the settings of a live connection', () => {
  test('start work in a pause, under the revision at the start of the sentence', async () => {
    const settings = { revision: 7 };
    const live = await openLiveSession({ settings });

    await live.speak(960);
    settings.revision = 8;
    await live.silence(256);

    expect(live.turnClient.turns.map(({ asked }) => asked.revision)).toEqual([7]);
  });

  test('start work only at the certain end without speculative work', async () => {
    const live = await openLiveSession({ settings: { speculates: false } });

    await live.speak(960);
    await live.silence(512);
    const begunInThePause = live.turnClient.turns.length;
    await live.silence(160);

    expect(begunInThePause).toBe(0);
    expect(live.turnClient.turns).toHaveLength(1);
    expect(live.turnClient.preloaded).toEqual([]);
  });

  test('lead to the same answers when work starts only at the certain end', async () => {
    const live = await openLiveSession({ settings: { speculates: false } });

    await live.speak(960);
    await live.silence(672);
    const turn = live.turnClient.turn(-1);
    turn.hears('What time is it?');
    await live.wait(0);

    expect(live.of('input_audio_buffer.committed')).toHaveLength(1);
    expect(live.of('conversation.item.input_audio_transcription.completed')).toHaveLength(1);
    expect(turn.state.isConfirmed).toBe(true);
  });

  test('apply a changed end silence to the next sentence', async () => {
    const settings = { endSilenceMs: 600 };
    const live = await openLiveSession({ settings });

    settings.endSilenceMs = 1_200;
    await live.speak(960);
    await live.silence(1_100);
    const endedAfterTheOld = live.of('input_audio_buffer.speech_stopped').length;
    await live.silence(160);

    expect(endedAfterTheOld).toBe(0);
    expect(live.of('input_audio_buffer.speech_stopped')).toHaveLength(1);
  });

  test('do not affect the current sentence', async () => {
    const settings = { endSilenceMs: 600 };
    const live = await openLiveSession({ settings });

    await live.speak(480);
    settings.endSilenceMs = 3_000;
    await live.speak(480);
    await live.silence(672);

    expect(live.of('input_audio_buffer.speech_stopped')).toHaveLength(1);
  });

  test("yield to the satellite's own settings", async () => {
    const settings = { endSilenceMs: 600 };
    const live = await openLiveSession({ settings });

    await live.take({ type: 'session.update', session: { end_silence_ms: 400 } });
    settings.endSilenceMs = 2_000;
    await live.speak(960);
    await live.silence(480);

    expect(live.of('input_audio_buffer.speech_stopped')).toHaveLength(1);
  });
});
