import { describe, expect, test } from 'vitest';
import { amplified } from '../../../../api/src/listen/playback/loudness.ts';
import {
  changedSpeaker,
  type StoredSpeaker,
  speakerAt,
  untouchedSpeaker,
} from '../../../../api/src/speakers/speaker.ts';
import { openLiveSession } from '../../../support/live-session.ts';

/** A session whose loudspeaker is stored here, under any name. */
async function openRoom(first: Partial<StoredSpeaker> = {}) {
  let kept: StoredSpeaker = { ...untouchedSpeaker, ...first };
  let passed = (): number => 0;
  const played: number[] = [];
  const live = await openLiveSession({
    speakers: {
      now: () => speakerAt(kept, passed()),
      leftMs: (until) => Math.max(0, until - passed()),
      wallAfter: (ms) => new Date(passed() + ms).toISOString(),
      change: (_name, change) => {
        kept = changedSpeaker(kept, change, { now: passed(), turn: null });
      },
    },
    loudspeaker: {
      play: (samples) => played.push(Math.max(...new Int16Array(new Uint8Array(samples).buffer))),
      unreadBytes: () => 0,
      giveUp: () => undefined,
    },
  });
  const beganMs = live.clock.nowMs();
  passed = () => live.clock.nowMs() - beganMs;
  return {
    ...live,
    played,
    set: (speaker: Partial<StoredSpeaker>) => {
      kept = { ...kept, ...speaker };
      live.session.refreshSpeaker();
    },
    /** Asks a question. Returns the maximum loudness of its answer of 800 ms; null if it was silent. */
    loudest: async () => {
      played.length = 0;
      const turn = await live.ask('What time is it?');
      turn.says('It is ten.', 800);
      turn.ends('skills');
      await live.silence(1_500);
      return played.length === 0 ? null : Math.max(...played);
    },
  };
}

const ring = {
  id: 'pasta',
  isRinging: true,
  words: () => 'Your pasta timer is done.',
  timer: {
    id: 'pasta',
    kind: 'timer' as const,
    name: 'pasta',
    duration_ms: 600_000,
    remaining_ms: 0,
    ends_at: '2026-11-21T18:00:00.000Z',
  },
  onRing: () => undefined,
  onTold: () => undefined,
};

describe('the volume', () => {
  test('scales the sound by its square', () => {
    const samples = Buffer.from(new Int16Array([-20_000, 10_000]).buffer);

    expect([100, 50, 0].map((volume) => [...new Int16Array(amplified(samples, volume).buffer)])).toEqual([
      [-20_000, 10_000],
      [-5_000, 2_500],
      [0, 0],
    ]);
  });

  test('is sent when the satellite connects, and after every change', async () => {
    const room = await openRoom({ volume: 40 });

    room.set({ volume: 60 });
    room.set({ volume: 60, turn: 'another' });

    expect(room.of('session.created')[0]?.session.speaker).toEqual({
      volume: 40,
      muted: false,
      muted_until: null,
      muted_ms: null,
      volume_control: 'server',
    });
    expect(room.of('speaker.changed').map(({ speaker }) => speaker.volume)).toEqual([60]);
  });

  test('is applied to the samples', async () => {
    const room = await openRoom();
    const full = (await room.loudest()) ?? 0;
    room.set({ volume: 50 });

    expect(full).toBeGreaterThan(0);
    expect(await room.loudest()).toBe(Math.round(full / 4));
  });

  test('is left to a satellite that applies it itself', async () => {
    const room = await openRoom();
    const full = await room.loudest();
    await room.take({ type: 'speaker.update', speaker: { volume: 20, volume_control: 'client' } });

    expect(await room.loudest()).toBe(full);
    expect(room.of('speaker.changed').at(-1)?.speaker).toMatchObject({
      volume: 20,
      volume_control: 'client',
    });
    expect(room.of('response.output_audio.started').map(({ volume }) => volume)).toEqual([undefined, 20]);
  });

  test('never makes a timer inaudible', async () => {
    const room = await openRoom({ volume: 0 });
    await room.take({ type: 'speaker.update', speaker: { volume_control: 'client' } });

    room.session.ring([ring]);
    await room.wait(1_200);

    expect(room.of('response.output_audio.started').map(({ volume }) => volume)).toEqual([30]);
  });
});

describe('a mute', () => {
  test('leaves only the words of an answer', async () => {
    const room = await openRoom();
    await room.take({ type: 'speaker.update', speaker: { muted: true } });

    expect(await room.loudest()).toBeNull();
    expect(room.of('response.done')).toMatchObject([{ status: 'completed', reply: 'It is ten.' }]);
    expect(room.of('response.output_audio.started')).toEqual([]);
  });

  test('does not silence the answer that confirms it', async () => {
    const room = await openRoom();
    const turn = await room.ask('Mute yourself.');
    room.set({ muted: { until: null }, turn: '00000000-0000-4000-8000-000000000001' });
    turn.says('Muted.', 400);
    turn.ends('skills');
    await room.silence(1_000);
    const heard = room.played.length;

    expect(heard).toBeGreaterThan(0);
    expect(await room.loudest()).toBeNull();
  });

  test('silences the current sentence', async () => {
    const room = await openRoom();
    const turn = await room.ask('Tell me a story.');
    turn.says('Once upon a time there was a fox.', 6_000);
    await room.silence(1_000);
    await room.take({ type: 'speaker.update', speaker: { muted: true } });
    room.played.length = 0;
    await room.silence(2_000);

    expect(room.played.length).toBeGreaterThan(0);
    expect(Math.max(...room.played)).toBe(0);
  });

  test('silences no timer, but holds announcements', async () => {
    const room = await openRoom({ muted: { until: null } });
    const states: string[] = [];
    await room.session.relay({ text: 'Dinner is ready.' }, (state) => states.push(state));
    const isNoticeHeard = room.session.announce('The memory gets short.');
    await room.wait(1_000);
    const before = room.played.length;

    room.session.ring([ring]);
    await room.wait(1_200);

    expect(states).toEqual(['failed']);
    expect(await isNoticeHeard).toBe(false);
    expect(before).toBe(0);
    expect(Math.max(...room.played)).toBeGreaterThan(0);
  });

  test('holds missed notices until it is over', async () => {
    const told: string[] = [];
    const room = await openRoom({ muted: { until: null } });

    room.session.ring([{ ...ring, isRinging: false, onTold: () => told.push('missed') }]);
    await room.wait(60_000);
    const before = [...told];
    room.set({ muted: null });
    await room.wait(5_000);

    expect(before).toEqual([]);
    expect(told).toContain('missed');
  });

  test('ends after its duration, and notifies the satellite', async () => {
    const room = await openRoom();
    await room.take({ type: 'speaker.update', speaker: { muted: true, muted_ms: 60_000 } });
    const during = await room.loudest();
    await room.wait(60_000);

    expect(during).toBeNull();
    expect(room.of('speaker.changed').map(({ speaker }) => [speaker.muted, speaker.muted_ms])).toEqual([
      [true, 60_000],
      [false, null],
    ]);
    expect(await room.loudest()).toBeGreaterThan(0);
  });
});
