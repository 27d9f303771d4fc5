import { setImmediate as nextRound } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { renderRingTone } from '../../../api/src/audio/ring-tone.ts';
import { createHomeSpeakerSound, type PlayEnd } from '../../../api/src/home-sound/home-speaker.ts';
import type { Ring } from '../../../api/src/listen/ringing/ringing.ts';
import { createFakeClock } from '../../support/fakes/fake-clock.ts';

/** The tone, the chime and every sentence: 1.3 s. */
const bells = renderRingTone();

function openSpeaker({
  ends = () => 'played',
  speaks = true,
}: {
  ends?: () => PlayEnd;
  speaks?: boolean;
} = {}) {
  const clock = createFakeClock();
  const played: string[] = [];
  const noted: string[] = [];
  const sound = createHomeSpeakerSound({
    clock,
    say: async () => (speaks ? bells : null),
    tone: bells,
    chime: bells,
    play: async (_sound, text, onBegin) => {
      const end = ends();
      played.push(`${text || 'tone'}: ${end}`);
      if (end === 'played') onBegin();
      return end;
    },
    hush: () => noted.push('hushed'),
  });
  const ring = (id: string, isRinging = true): Ring => ({
    id,
    words: () => `${id}.`,
    isRinging,
    timer: { id, kind: 'timer', name: id, duration_ms: 1, remaining_ms: 0, ends_at: '' },
    onRing: () => noted.push(`${id} rings`),
    onTold: () => noted.push(`${id} told`),
  });
  const pass = async (ms: number): Promise<void> => {
    // Joins sounds piece by piece.
    for (let at = 0; at < 20; at += 1) await nextRound();
    await clock.pass(ms);
    for (let at = 0; at < 20; at += 1) await nextRound();
  };
  return { sound, ring, pass, played, noted };
}

describe('a ringing timer on a Home Assistant speaker', () => {
  test('rings repeatedly, with words at first, until it is stopped', async () => {
    const { sound, ring, pass, played, noted } = openSpeaker();
    sound.ring([ring('pasta')]);
    for (let at = 0; at < 24; at += 1) await pass(1_000);

    expect(played.slice(0, 3)).toEqual(['pasta.: played', 'pasta.: played', 'tone: played']);
    expect(noted).toContain('pasta rings');

    sound.ring([]);
    const before = played.length;
    for (let at = 0; at < 24; at += 1) await pass(1_000);
    expect(played).toHaveLength(before);
  });

  test('stops in the middle of the sound', async () => {
    const { sound, ring, pass, noted } = openSpeaker();
    sound.ring([ring('pasta')]);
    await pass(500);

    sound.ring([]);

    expect(noted).toEqual(['pasta rings', 'hushed']);
  });

  test('waits while a person talks there, and retries after a failure', async () => {
    const answers: PlayEnd[] = ['busy', 'failed'];
    const { sound, ring, pass, played } = openSpeaker({ ends: () => answers.shift() ?? 'played' });
    sound.ring([ring('pasta')]);
    for (let at = 0; at < 10; at += 1) await pass(1_000);

    expect(played.slice(0, 3)).toEqual(['pasta.: busy', 'pasta.: failed', 'pasta.: played']);
  });

  test('rings with only the tone if no voice can speak', async () => {
    const { sound, ring, pass, noted } = openSpeaker({ speaks: false });
    sound.ring([ring('pasta')]);
    await pass(100);

    expect(noted).toContain('pasta rings');
  });

  test('is reported once if it was missed', async () => {
    const { sound, ring, pass, played, noted } = openSpeaker();
    sound.ring([ring('eggs', false)]);
    await pass(2_000);
    sound.ring([]);
    await pass(20_000);

    expect(played).toEqual(['eggs.: played']);
    expect(noted).toContain('eggs told');
  });
});

describe('an announcement on it', () => {
  test('plays once, and waits for the previous one', async () => {
    const { sound, pass, played } = openSpeaker();
    const told: string[] = [];
    const first = sound.announce({ text: 'Dinner is ready.' }, (state) => told.push(state));
    const second = sound.announce({ text: 'Come down.' }, (state) => told.push(`then ${state}`));
    await Promise.all([first, second]);
    await pass(100);
    expect(told).toEqual(['waiting', 'then waiting', 'playing']);

    for (let at = 0; at < 8; at += 1) await pass(1_000);
    expect(told.at(-1)).toBe('then playing');
    expect(played).toEqual(['Dinner is ready.: played', 'Come down.: played']);
  });

  test.each([
    ['nobody fetches it', { ends: (): PlayEnd => 'failed' }],
    ['no voice can speak', { speaks: false }],
  ])('is reported as failed if %s', async (_why, options) => {
    const { sound, pass } = openSpeaker(options);
    const told: string[] = [];
    await sound.announce({ text: 'Dinner is ready.' }, (state) => told.push(state));
    await pass(100);

    expect(told).toEqual(['waiting', 'failed']);
  });

  test('is refused if too many wait', async () => {
    const { sound, pass } = openSpeaker({ ends: () => 'busy' });
    const told: string[] = [];
    for (let at = 0; at < 7; at += 1)
      await sound.announce({ text: `${at}` }, (state) => told.push(`${at} ${state}`));
    await pass(100);

    expect(told.at(-1)).toBe('6 failed');
  });
});
