import { pino } from 'pino';
import { expect, test } from 'vitest';
import { renderRingTone } from '../../../api/src/audio/ring-tone.ts';
import type { HomeSoundEnd, HomeSpeaker } from '../../../api/src/engines/home-speaker.ts';
import { AppError } from '../../../api/src/errors.ts';
import { createSpeakerPlayback } from '../../../api/src/home-sound/speaker-playback.ts';
import { createFakeClock } from '../../support/fakes/fake-clock.ts';
import { waitFor } from '../../support/wait-for.ts';

const speaker: HomeSpeaker = {
  room: 'Attic',
  kind: 'player',
  ids: ['media_player.attic'],
  announces: true,
  stops: true,
};

/** A speaker that downloads its sound, unless it is deaf, before Home Assistant answers. */
function openSpeaker(answer: () => HomeSoundEnd, { isDeaf = false } = {}) {
  const notes: string[] = [];
  const clock = createFakeClock();
  const fetched = Promise.withResolvers<void>();
  const playback = createSpeakerPlayback({
    clock,
    sounds: {
      keep: () => ({ path: '/tone.wav', fetched: fetched.promise, drop: () => notes.push('dropped') }),
    },
    base: async () => 'http://hearth:1',
    playAtHome: async ({ url }) => {
      notes.push(url);
      if (!isDeaf) fetched.resolve();
      return answer();
    },
    hushAtHome: async () => void notes.push('hushed'),
    log: pino({ enabled: false }),
    onError: () => undefined,
  });
  const { play, hush } = playback(speaker);
  const pass = async () => {
    // Resampling takes several turns of the event loop.
    await waitFor(() => notes.length > 0);
    await clock.pass(5_000);
  };
  return { pass, play: () => play(renderRingTone(), '', () => notes.push('begun')), hush, notes };
}

test('a sound is played once its download has begun, and is then dropped', async () => {
  const { play, notes } = openSpeaker(() => 'taken');

  expect(await play()).toBe('played');
  expect(notes).toEqual(['http://hearth:1/tone.wav', 'begun', 'dropped']);
});

test('a busy speaker plays nothing', async () => {
  const { play, notes } = openSpeaker(() => 'busy', { isDeaf: true });

  expect(await play()).toBe('busy');
  expect(notes).toEqual(['http://hearth:1/tone.wav', 'dropped']);
});

test('a speaker that does not download its sound has failed', async () => {
  const { play, pass, notes } = openSpeaker(() => 'taken', { isDeaf: true });

  const ended = play();
  await pass();

  expect(await ended).toBe('failed');
  expect(notes).not.toContain('begun');
});

test('a failure of Home Assistant fails the playback', async () => {
  const { play, notes } = openSpeaker(
    () => {
      throw new AppError('home_unavailable');
    },
    { isDeaf: true },
  );

  expect(await play()).toBe('failed');
  expect(notes).toContain('dropped');
});
