import { describe, expect, test } from 'vitest';
import type { PastSuspension } from '../../../api/src/listen/turn-taking/old-sound.ts';
import { openLiveSession } from '../../support/live-session.ts';

/** A session whose process can stand still while sound still arrives. */
async function openStandingSession() {
  let suspension: PastSuspension = { ms: 0, endedAt: 0 };
  const live = await openLiveSession({ suspension: () => suspension });
  return {
    ...live,
    /** Speech from that time arrives all at once when it is over. */
    async standStill(ms: number, { spokenMs }: { spokenMs: number }): Promise<void> {
      suspension = { ms, endedAt: live.clock.nowMs() + ms };
      await live.wait(ms);
      const speech = Buffer.alloc(1_024, 7);
      for (let sentMs = 0; sentMs < spokenMs; sentMs += 32) await live.session.pushAudio(speech);
    },
  };
}

describe('after a suspension', () => {
  test('does not answer speech from that time, and notifies the satellite', async () => {
    const live = await openStandingSession();
    await live.silence(500);

    await live.standStill(70_000, { spokenMs: 3_000 });
    await live.silence(2_000);

    expect(live.types()).toEqual(['error']);
    expect(live.of('error')).toMatchObject([
      {
        turn_id: null,
        event: 'audio',
        error: {
          code: 'queue_timeout',
          message: 'The server was suspended for 70 s and missed all speech in that time. Say it again.',
        },
      },
    ]);
  });

  test('an interrupted sentence is dropped', async () => {
    const live = await openStandingSession();
    await live.speak(600);

    await live.standStill(20_000, { spokenMs: 1_000 });
    await live.silence(2_000);

    expect(live.types()).toEqual([
      'input_audio_buffer.speech_started',
      'input_audio_buffer.cleared',
      'error',
    ]);
    expect(live.faults).toEqual([]);
  });

  test('a sentence is dropped even if its satellite has disconnected meanwhile', async () => {
    const live = await openStandingSession();
    await live.speak(600);

    await live.standStill(20_000, { spokenMs: 0 });
    await live.wait(3_000);

    expect(live.types()).toEqual(['input_audio_buffer.speech_started', 'input_audio_buffer.cleared']);
  });

  test('new speech is heard from its first word on', async () => {
    const live = await openStandingSession();

    await live.standStill(20_000, { spokenMs: 0 });
    await live.ask('What time is it?');

    expect(live.turnClient.turn(0).asked.question).toMatchObject({ sound: { sampleRateHz: 16_000 } });
    expect(live.of('input_audio_buffer.speech_started')).toMatchObject([{ audio_start_ms: 0 }]);
    expect(live.of('error')).toEqual([]);
  });

  test('of a few seconds, speech from that time is answered', async () => {
    const live = await openStandingSession();

    await live.standStill(4_000, { spokenMs: 2_000 });
    await live.silence(2_000);

    expect(live.types().slice(0, 2)).toEqual([
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
    ]);
  });
});
