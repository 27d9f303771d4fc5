import { describe, expect, test } from 'vitest';
import type { Ring } from '../../../../api/src/listen/ringing/ringing.ts';
import { voiceSound } from '../../../support/fakes/fake-turn-client.ts';
import { openLiveSession } from '../../../support/live-session.ts';

const firstRound = '00000000-0000-4000-8000-000000000001';

/** A ring that counts how often it was played and announced. */
function pasta({ isRinging = true, words = 'Your pasta timer is done.', id = 'pasta' } = {}) {
  const noted = { rung: 0, told: 0 };
  const ring: Ring = {
    id,
    isRinging,
    words: () => words,
    timer: {
      id,
      kind: 'timer',
      name: 'pasta',
      duration_ms: 600_000,
      remaining_ms: 0,
      ends_at: '2026-11-21T18:00:00.000Z',
    },
    onRing: () => {
      noted.rung += 1;
    },
    onTold: () => {
      noted.told += 1;
    },
  };
  return { ring, noted };
}

describe('a ringing timer', () => {
  test('is reported, then plays its tone and its words', async () => {
    const live = await openLiveSession();

    live.session.ring([pasta().ring]);
    await live.wait(1_200);

    expect(live.types()).toEqual([
      'timer.finished',
      'response.created',
      'response.output_audio.started',
      'response.output_audio_transcript.delta',
      'response.output_audio.done',
      'response.done',
    ]);
    expect(live.of('response.done')).toMatchObject([
      { turn_id: firstRound, status: 'completed', via: 'timer', reply: 'Your pasta timer is done.' },
    ]);
  });

  test.each(['name', 'word'] as const)(
    'stops at a "stop" without the name or word, in the mode %s',
    async (wake) => {
      const live = await openLiveSession({ wake, settings: { names: ['Computer'] } });
      const { ring, noted } = pasta();
      live.session.ring([ring]);
      await live.wait(5_000);

      const stop = await live.ask('Stop.');
      const rungBefore = noted.rung;
      await live.silence(8_000);

      expect(stop.asked.nameRule).toBe('needed_or_stop');
      expect(stop.state.isConfirmed).toBe(true);
      expect([rungBefore > 0, live.faults]).toEqual([true, []]);
    },
  );

  test('rings repeatedly, and says its name in the first rounds', async () => {
    const live = await openLiveSession();

    live.session.ring([pasta().ring]);
    await live.wait(30_000);

    const hasWords = live.of('response.done').map(({ reply }) => reply !== '');
    expect(hasWords.slice(0, 6)).toEqual([true, true, false, false, true, false]);
  });

  test('is silent at once after a stop', async () => {
    const live = await openLiveSession();
    live.session.ring([pasta().ring]);
    await live.wait(200);

    live.session.ring([]);
    await live.wait(30_000);

    expect(live.of('response.done')).toMatchObject([{ status: 'cancelled', reason: 'acknowledged' }]);
  });

  test('waits for an answer to end', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Why?');
    turn.says('Because it is so.', 3_000);

    live.session.ring([pasta().ring]);
    turn.ends();
    await live.wait(2_500);
    const whileResponding = live.of('response.created').length;
    await live.wait(2_000);

    expect(whileResponding).toBe(1);
    expect(live.of('response.done')).toMatchObject([{ via: 'local', status: 'completed' }, { via: 'timer' }]);
  });

  test('waits the full time, whatever an earlier one has waited', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time.', 60_000);
    live.session.ring([pasta().ring]);
    await live.wait(9_000);
    live.session.ring([]);
    await live.wait(9_000);

    live.session.ring([pasta({ id: 'eggs' }).ring]);
    await live.wait(5_000);

    expect(live.of('response.done')).toEqual([]);
  });

  test('does not wait forever: it cuts a long answer', async () => {
    const live = await openLiveSession();
    const turn = await live.ask('Tell me a story.');
    turn.says('Once upon a time.', 60_000);

    live.session.ring([pasta().ring]);
    await live.wait(11_000);

    expect(live.of('response.done')[0]).toMatchObject({ status: 'cancelled', reason: 'turn_detected' });
    expect(live.of('response.created')).toHaveLength(2);
  });

  test('yields to a question, and rings again after the answer unless stopped', async () => {
    const live = await openLiveSession();
    live.session.ring([pasta().ring]);
    await live.wait(300);

    const turn = await live.ask('What time is it?');
    turn.says('It is six.');
    turn.ends('skills');
    await live.silence(6_000);

    expect(
      live
        .of('response.done')
        .map(({ status, via }) => `${status} ${via}`)
        .slice(0, 3),
    ).toEqual(['cancelled timer', 'completed skills', 'completed timer']);
  });

  test('is not interrupted like an answer: noise gets no answer', async () => {
    const live = await openLiveSession();
    live.session.ring([pasta().ring]);
    await live.wait(300);

    await live.speak(320);
    await live.silence(640);
    live.turnClient.turns.at(-1)?.hears('');
    await live.silence(200);

    expect(live.of('input_audio_buffer.cleared')).toHaveLength(1);
  });

  test('without a voice is shown and plays its tone', async () => {
    const live = await openLiveSession();
    live.turnClient.speaks(async () => null);

    live.session.ring([pasta().ring]);
    await live.wait(1_500);

    expect(live.of('response.done')).toMatchObject([
      { status: 'completed', reply: 'Your pasta timer is done.' },
    ]);
    expect(live.of('error')).toEqual([]);
  });

  test("stops at the satellite's stop button", async () => {
    const stops: string[] = [];
    const live = await openLiveSession({ onStopped: () => void stops.push('stopped') });
    live.session.ring([pasta().ring]);
    await live.wait(200);

    await live.take({ type: 'response.cancel' });

    expect(stops).toEqual(['stopped']);
  });

  test.each([
    ['whatever it names', {}, 1],
    ['for the round that has just ended', { turn_id: firstRound }, 1],
    ['not for another answer', { turn_id: 'another' }, 0],
  ])('stops at the stop button between two rounds, %s', async (_what, named, stopped) => {
    const stops: string[] = [];
    const live = await openLiveSession({ onStopped: () => void stops.push('stopped') });
    live.session.ring([pasta().ring]);
    await live.wait(1_200);
    expect(live.types().at(-1)).toBe('response.done');

    await live.take({ type: 'response.cancel', ...named });

    expect(stops).toHaveLength(stopped);
  });

  test.each([
    ['is stopped by a word or two', 640, 1],
    ['rings on after a talk', 3_200, 0],
  ])('%s, while no recognition works', async (_what, speechMs, stopped) => {
    const stops: string[] = [];
    const live = await openLiveSession({
      onStopped: () => {
        stops.push('stopped');
        live.session.ring([]);
      },
    });
    live.session.ring([pasta().ring]);
    await live.wait(300);

    await live.speak(speechMs);
    await live.silence(256);
    live.turnClient.turn(-1).fails('redis_full');
    await live.silence(6_000);

    expect(stops).toHaveLength(stopped);
    // A completed stop is not reported as failed.
    expect(live.of('error')).toHaveLength(1 - stopped);
    expect(live.faults).toEqual([]);
  });

  test('does not stop at recognized words without an answer', async () => {
    const stops: string[] = [];
    const live = await openLiveSession({ onStopped: () => void stops.push('stopped') });
    live.session.ring([pasta().ring]);
    await live.wait(300);

    const turn = await live.ask('Why is the sky blue?');
    turn.fails('llm_unavailable');
    await live.silence(2_000);

    expect(stops).toEqual([]);
    expect(live.of('error')).toHaveLength(1);
  });

  test('does not stop when the satellite disconnects', async () => {
    const stops: string[] = [];
    const live = await openLiveSession({ onStopped: () => void stops.push('stopped') });
    live.session.ring([pasta().ring]);
    await live.wait(200);

    live.session.close();
    await live.wait(20_000);

    expect(stops).toEqual([]);
    expect(live.clock.waiting).toBe(0);
  });
});

test('two ringing timers share a round, and each ends once', async () => {
  const live = await openLiveSession();
  const [one, two] = [pasta(), pasta({ id: 'eggs', words: 'Your egg timer is done.' })];

  live.session.ring([one.ring]);
  live.session.ring([one.ring, two.ring]);
  await live.wait(10_000);

  const finished = live.events.flatMap((event) => (event.type === 'timer.finished' ? [event.timer.id] : []));
  expect(finished).toEqual(['pasta', 'eggs']);
  expect(live.of('response.done').map(({ reply }) => reply)).toContain(
    'Your pasta timer is done. Your egg timer is done.',
  );
});

test('a missed timer is reported once, without the tone', async () => {
  const live = await openLiveSession();
  live.turnClient.speaks(async () => voiceSound(800));
  const { ring, noted } = pasta({ isRinging: false, words: 'You missed your pasta timer.' });

  live.session.ring([ring]);
  await live.wait(1_500);
  live.session.ring([]);
  await live.wait(20_000);

  expect(noted.told).toBe(1);
  expect(live.types()).not.toContain('timer.finished');
  expect(live.of('response.output_audio.done')).toMatchObject([{ audio_duration_ms: 800 }]);
});
