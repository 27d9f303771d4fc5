import { describe, expect, test } from 'vitest';
import { voiceSound } from '../../support/fakes/fake-turn-client.ts';
import { openLiveSession } from '../../support/live-session.ts';

describe('a failure', () => {
  test('before the answer is spoken', async () => {
    const live = await openLiveSession();

    const turn = await live.ask('Tell me a story.');
    turn.fails('llm_unavailable');
    await live.silence(960);

    expect(live.of('error')).toMatchObject([{ event: null, error: { code: 'llm_unavailable' } }]);
    expect(live.of('response.done')).toMatchObject([
      { status: 'failed', reason: 'llm_unavailable', reply: 'That failed: llm_unavailable.' },
    ]);
    expect(live.sounds.length).toBeGreaterThan(0);
    expect(live.faults).toEqual([]);
  });

  test('in the middle of the answer is spoken after it', async () => {
    const live = await openLiveSession();

    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time.', 800);
    turn.fails('llm_unavailable');
    await live.silence(2_000);

    expect(live.of('response.done')).toMatchObject([
      { status: 'failed', reply: 'Once upon a time. That failed: llm_unavailable.' },
    ]);
    expect(live.faults).toEqual([]);
  });

  test('of recognition is spoken at the certain end, not before', async () => {
    const live = await openLiveSession();

    await live.speak(960);
    await live.silence(256);
    live.turnClient.turn(0).fails('stt_unavailable');
    await live.wait(0);
    const early = live.events.length;
    await live.silence(1_500);

    expect(early).toBe(2);
    expect(live.of('response.done')).toMatchObject([{ status: 'failed', reason: 'stt_unavailable' }]);
    expect(live.faults).toEqual([]);
  });

  test('to accept the question at all is spoken', async () => {
    const live = await openLiveSession();
    live.turnClient.refuse('overloaded');

    await live.speak(960);
    await live.silence(1_500);

    expect(live.of('response.done')).toMatchObject([{ status: 'failed', reason: 'overloaded' }]);
    expect(live.sounds.length).toBeGreaterThan(0);
  });

  test('leaves the next question unaffected', async () => {
    const live = await openLiveSession();
    const failed = await live.ask('Tell me a story.');
    failed.fails('llm_timeout');
    await live.silence(1_500);

    const turn = await live.ask('What time is it?');
    turn.says('Ten.', 300);
    turn.ends();
    await live.silence(640);

    expect(live.of('response.done').map(({ status }) => status)).toEqual(['failed', 'completed']);
  });

  test('of the voice ends the response with its words', async () => {
    const live = await openLiveSession();
    live.turnClient.speaks(async () => null);

    const turn = await live.ask('What time is it?');
    turn.says('It is ten.', null);
    turn.ends('skills');
    await live.silence(64);

    expect(live.of('response.done')).toMatchObject([
      {
        status: 'failed',
        reason: 'tts_unavailable',
        via: 'skills',
        reply: 'It is ten. That failed: tts_unavailable.',
      },
    ]);
    expect(live.sounds).toEqual([]);
    expect(live.faults).toEqual([]);
  });

  test('of everything, including the voice, still ends the response', async () => {
    const live = await openLiveSession();
    live.turnClient.speaks(() => new Promise(() => undefined));

    const turn = await live.ask('What time is it?');
    turn.fails('redis_unavailable');
    await live.silence(5_100);

    expect(live.of('response.done')).toMatchObject([{ status: 'failed', reason: 'redis_unavailable' }]);
  });

  test('has its own code if no answer ever comes', async () => {
    const live = await openLiveSession();

    const turn = await live.ask('What time is it?');
    await live.wait(70_000);

    expect(live.of('response.done')).toMatchObject([{ status: 'failed', reason: 'turn_timeout' }]);
    expect(turn.state.isCancelled).toBe(true);
  });
});

describe('a long wait', () => {
  test('is filled once', async () => {
    const live = await openLiveSession();

    const turn = await live.ask('Why is the sky blue?');
    await live.silence(2_300);
    const early = live.sounds.length;
    await live.silence(5_000);
    const filled = live.sounds.reduce((sum, { bytes }) => sum + bytes / 32, 0);
    turn.says('Air scatters it.', 900);
    turn.ends();
    await live.silence(1_500);

    expect([early, Math.round(filled)]).toEqual([0, 500]);
    expect(live.of('response.done')).toMatchObject([{ status: 'completed', reply: 'Air scatters it.' }]);
    expect(live.faults).toEqual([]);
  });

  test('is not filled when the answer comes first', async () => {
    const live = await openLiveSession();
    const filler = Promise.withResolvers<ReturnType<typeof voiceSound>>();
    live.turnClient.speaks(() => filler.promise);

    const turn = await live.ask('Why is the sky blue?');
    await live.silence(2_600);
    turn.says('Air scatters it.', 900);
    filler.resolve(voiceSound(500));
    turn.ends();
    await live.silence(1_500);

    expect(Math.round(live.sounds.reduce((sum, { bytes }) => sum + bytes / 32, 0))).toBe(900);
  });

  test('is not filled if fillers are disabled', async () => {
    const settings = { partialsEveryMs: null, endsEarly: true, waitsForMore: true, fillerAfterMs: null };
    const live = await openLiveSession({ settings });

    await live.ask('Why is the sky blue?');
    await live.silence(5_000);

    expect(live.sounds).toEqual([]);
  });
});

describe('the session sends speech', () => {
  test('at most two seconds ahead of the playback', async () => {
    const live = await openLiveSession();

    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 10_000);
    turn.ends();
    await live.silence(10_500);

    const [first] = live.sounds;
    let sentMs = 0;
    for (const { atMs, bytes } of live.sounds) {
      sentMs += bytes / 32;
      expect(sentMs - (atMs - (first?.atMs ?? 0))).toBeLessThanOrEqual(2_100);
    }
    expect(Math.round(sentMs)).toBe(10_000);
    expect(live.of('response.done')).toMatchObject([{ status: 'completed' }]);
  });

  test('to no satellite that does not read, and finally drops it', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time there was a king.', 30_000);
    await live.silence(320);
    live.loudspeaker.unread = 100_000;
    const before = live.sounds.length;

    await live.silence(9_000);
    const patient = live.loudspeaker.isGivenUp;
    await live.silence(3_500);

    expect(live.sounds.length).toBe(before);
    expect([patient, live.loudspeaker.isGivenUp]).toEqual([false, true]);
  });

  test('again when the satellite has caught up', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time.', 3_000);
    turn.ends();
    await live.silence(320);

    live.loudspeaker.unread = 100_000;
    await live.silence(5_000);
    live.loudspeaker.unread = 0;
    await live.silence(4_000);

    expect(live.of('response.done')).toMatchObject([{ status: 'completed' }]);
    expect(Math.round(live.sounds.reduce((sum, { bytes }) => sum + bytes / 32, 0))).toBe(3_000);
  });
});
