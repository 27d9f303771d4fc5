import { describe, expect, test, vi } from 'vitest';
import { quiet, spokenCase, spokenCases } from '../support/audio/spoken-clips.ts';
import { wordErrors } from '../support/audio/word-errors.ts';
import { connectListen, HandshakeRefused } from '../support/clients/listen-client.ts';
import type { Household } from './household.ts';
import { kept } from './household-suite.ts';
import { enterRoom, type LiveRoom, loudest, notice } from './live-room.ts';

export const hasSpokenClips = spokenCases.length > 0;

const wordsOf = (file: string) => spokenCases.find((each) => each.file === file)?.text ?? '';

const answers: readonly (readonly [file: string, reply: string])[] = [
  ['joe-france-far.wav', 'The capital of France is Paris.'],
  ['germany.wav', 'The capital of Germany is Berlin.'],
  ['joe-italy.wav', 'The capital of Italy is Rome.'],
  ['joe-hamlet.wav', 'William Shakespeare wrote Hamlet.'],
];

const theTime = /^It(['’]s| is) /;
const storyBegins = /^Once upon a time/;

type InRoom = (client: string, visit: (room: LiveRoom) => Promise<void>) => Promise<void>;

const inRoomOf =
  (of: () => Household): InRoom =>
  async (client, visit) => {
    const room = await enterRoom(of(), { client });
    await visit(room);
    await room.leave();
  };

/**
 * Requirements in a room, with or without containers, with the model whose answers are known word for word.
 */
export function roomSuite(of: () => Household): void {
  const inRoom = inRoomOf(of);

  test('announces its answer within 300 ms of the certain end', async () => {
    await inRoom('signs', async (room) => {
      const exchange = await room.ask('joe-france.wav');

      const stopped = await room.event('input_audio_buffer.speech_stopped');
      expect(exchange.createdAtMs - stopped.atMs).toBeLessThan(300);
      expect(exchange.done.timings.end_silence_ms).toBeGreaterThanOrEqual(200);
      expect(exchange.done.timings.first_audio_ms).toBeGreaterThan(0);
      expect(exchange.done.reply).toBe('The capital of France is Paris.');
      expect(loudest(exchange)).toBeGreaterThan(1_000);
    });
  });
}

/** All sounds that people in a room must hear. They are the same on either side, so one side runs it. */
export function listenSuite(of: () => Household): void {
  const inRoom = inRoomOf(of);

  roomSuite(of);

  test('hears a question and answers it aloud', async () => {
    await inRoom('facts', async (room) => {
      const misheard: string[] = [];
      for (const [file, reply] of answers) {
        const exchange = await room.ask(file);

        const isRight = wordErrors(wordsOf(file), exchange.transcript ?? '') === 0;
        if (!isRight) misheard.push(`${file}: ${exchange.transcript}`);
        expect(exchange.done, file).toMatchObject({ status: 'completed', reason: null, via: 'local' });
        if (isRight) expect(exchange.done.reply, file).toBe(reply);
        expect(loudest(exchange), file).toBeGreaterThan(1_000);
        expect(exchange.sound.length / 32, file).toBeGreaterThan(800);
      }

      // Sound cut from a room differs each time, and the smallest Whisper may mishear a word of it.
      expect(misheard.length, misheard.join()).toBeLessThanOrEqual(1);
    });
  });

  test('answers two requests on one connection separately', async () => {
    await inRoom('two', async (room) => {
      await room.say('two-requests.wav');
      const [first, second] = [await room.exchange(0, 60_000), await room.exchange(1, 60_000)];

      expect(first.transcript).toMatch(/what time is it/i);
      expect(notice(second)).toMatchObject({ via: 'local', reply: 'The capital of France is Paris.' });
      if (first.done.status === 'completed') expect(first.done.reply).toMatch(theTime);
      else expect(first.done.reason).toBe('turn_detected');
    });
  });

  test('does not take a pause for breath for the end', async () => {
    await inRoom('breath', async (room) => {
      const exchange = await room.ask('joe-breath.wav');

      expect(wordErrors(wordsOf('joe-breath.wav'), exchange.transcript ?? '')).toBe(0);
      expect(room.begun()).toBe(1);
    });
  });

  test('waits as long as the satellite says', async () => {
    await inRoom('patience', async (room) => {
      room.send({ type: 'session.update', session: { end_silence_ms: 800 } });
      await room.event('session.updated');

      const exchange = await room.ask('pause-600ms.wav');

      expect(wordErrors(wordsOf('pause-600ms.wav'), exchange.transcript ?? '')).toBe(0);
    });
  });

  test.concurrent.each(['silence.wav', 'noise.wav', 'click.wav'])(
    'does not ask the language model about %s',
    async (file) => {
      await inRoom(`nobody-${file}`, async (room) => {
        await room.say(file);
        const { done } = await room.ask('joe-italy.wav');

        expect(done.reply).toBe('The capital of Italy is Rome.');
        const others = room.events.flatMap(({ event }) =>
          event.type === 'response.done' && event.turn_id !== done.turn_id ? [event.via] : [],
        );
        expect(others).not.toContain('local');
      });
    },
  );

  test('stops an interrupted story, answers, and remembers the interruption', async () => {
    await inRoom('story', async (room) => {
      await room.say('joe-story.wav');
      // At most two seconds ahead of playback: by then two seconds have been played.
      await vi.waitFor(() => expect(room.soundMs()).toBeGreaterThan(4_000), {
        timeout: 60_000,
        interval: 20,
      });
      const spoken = await room.say('joe-france.wav');
      const [story, next] = [await room.exchange(0), await room.exchange(1, 60_000)];

      expect(story.done).toMatchObject({ status: 'cancelled', reason: 'turn_detected' });
      expect(story.done.reply).toMatch(storyBegins);
      expect(story.done.reply.length).toBeLessThan(300);
      expect((story.soundAtMs.at(-1) ?? 0) - spoken.sentAtMs(500)).toBeLessThan(1_000);
      expect(next.done).toMatchObject({ status: 'completed', reply: 'The capital of France is Paris.' });
      const exchanges = await kept(of(), 'story');
      expect(exchanges.map(({ assistant }) => assistant)).toEqual([story.done.reply, next.done.reply]);
    });
  });

  test('stays silent after "stop"', async () => {
    await inRoom('stop', async (room) => {
      await room.say('joe-story.wav');
      await vi.waitFor(() => expect(room.soundMs()).toBeGreaterThan(3_000), {
        timeout: 60_000,
        interval: 20,
      });
      await room.say('joe-stop.wav');
      const [story, stop] = [await room.exchange(0), await room.exchange(1, 60_000)];

      expect(story.done).toMatchObject({ status: 'cancelled', reason: 'turn_detected' });
      expect(stop.done).toMatchObject({ status: 'completed', via: 'skills' });
      expect(stop.sound.length / 32).toBeLessThan(1_500);
    });
  });

  test('answers the utterance that a button press ended', async () => {
    const satellite = await connectListen(`http://127.0.0.1:${of().port}`, { client: 'button' });
    satellite.send({ type: 'session.update', session: { endpointing: 'manual' } });
    await satellite.event('session.updated');
    satellite.send({ type: 'input_audio_buffer.commit', event_id: 'too-early' });
    const { event } = await satellite.event('error');
    const microphone = satellite.openMicrophone();
    // Without the silence after it: the button marks the end.
    const samples = spokenCase('joe-france.wav').subarray(0, -32_000);

    await microphone.say({ sampleRateHz: 16_000, samples });
    microphone.close();
    satellite.send({ type: 'input_audio_buffer.commit' });
    const exchange = await satellite.exchange(0, 60_000);

    expect(event).toMatchObject({ event_id: 'too-early', error: { code: 'no_audio' } });
    expect(exchange.done.reply).toBe('The capital of France is Paris.');
    expect(satellite.events.map((each) => each.event.type)).not.toContain(
      'input_audio_buffer.speech_started',
    );
    await satellite.close();
  });

  test('answers once when two satellites in one room hear the same utterance', async () => {
    const rooms = await Promise.all(
      ['left', 'right'].map((client) => enterRoom(of(), { client, room: 'hall' })),
    );

    await Promise.all(rooms.map((room) => room.say('joe-italy.wav')));
    await vi.waitFor(
      () => {
        const done = rooms.flatMap(({ events }) => events.map(({ event }) => event)).filter(isEnd);
        expect(done).toHaveLength(2);
      },
      { timeout: 60_000, interval: 50 },
    );

    const replies = rooms.flatMap(({ events }) =>
      events.flatMap(({ event }) =>
        event.type === 'response.done' && event.status === 'completed' ? [event.reply] : [],
      ),
    );
    expect(replies).toEqual(['The capital of Italy is Rome.']);
    await Promise.all(rooms.map((room) => room.leave()));
  });

  describe('with invalid frames', () => {
    test('reports the error and continues', async () => {
      await inRoom('nonsense', async (room) => {
        for (const frame of [
          'not json',
          '[]',
          '{"type":"session.fly"}',
          '{"type":"session.update"}',
          'null',
        ]) {
          room.sendRaw(frame);
        }
        room.sendRaw(Buffer.alloc(641));
        await vi.waitFor(() =>
          expect(room.events.filter(({ event }) => event.type === 'error')).toHaveLength(6),
        );

        const { done } = await room.ask('joe-france.wav');

        expect(done.reply).toBe('The capital of France is Paris.');
      });
    });

    test('closes the connection after a frame that is too large', async () => {
      const satellite = await connectListen(`http://127.0.0.1:${of().port}`, { client: 'huge' });
      satellite.sendRaw(quiet(60_000));

      expect((await satellite.closed).code).toBe(1009);
    });

    test.each([
      ['Origin', { origin: 'https://elsewhere.example' }],
      ['Host', { host: 'rebound.example' }],
    ])('refuses a foreign %s', async (_, headers) => {
      const refused = await connectListen(`http://127.0.0.1:${of().port}`, { headers }).catch(
        (error: unknown) => error,
      );

      expect(refused).toBeInstanceOf(HandshakeRefused);
      expect(refused).toMatchObject({ status: 403 });
    });
  });
}

const isEnd = ({ type }: { type: string }) =>
  type === 'response.done' || type === 'input_audio_buffer.cleared';
