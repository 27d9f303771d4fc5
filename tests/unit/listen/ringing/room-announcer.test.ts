import { expect, test } from 'vitest';
import type { AnnouncementState } from '../../../../api/src/announcements/announcement-requests.ts';
import { type AnnouncingSatellite, createAnnouncing } from '../../../../api/src/listen/ringing/announcing.ts';
import type { AnnouncementFailure } from '../../../../api/src/listen/ringing/room-announcer.ts';
import { speakerAt, untouchedSpeaker } from '../../../../api/src/speakers/speaker.ts';
import { voiceSound } from '../../../support/fakes/fake-turn-client.ts';
import { type LiveSession, openLiveSession } from '../../../support/live-session.ts';

const text = 'Dinner is ready.';

/** A satellite and the progress of its announcements. */
async function openRoom(more: Parameters<typeof openLiveSession>[0] = {}) {
  const live = await openLiveSession(more);
  const states: [AnnouncementState, AnnouncementFailure?][] = [];
  const announce = (): Promise<void> =>
    live.session.relay({ text }, (state, reason) => states.push(reason ? [state, reason] : [state]));
  return { ...live, states, announce };
}

test.each<
  [what: string, happens: (room: Awaited<ReturnType<typeof openRoom>>) => Promise<void>, AnnouncementFailure]
>([
  [
    'disconnects while it waits for the end of an answer',
    async (room) => {
      (await room.ask('Tell me a story.')).says('Once upon a time.', 5_000);
      await room.silence(1_000);
      await room.announce();
      room.session.close();
    },
    'disconnected',
  ],
  [
    'disconnects before its voice has spoken',
    async (room) => {
      const spoken = Promise.withResolvers<ReturnType<typeof voiceSound>>();
      room.turnClient.speaks(() => spoken.promise);
      const announced = room.announce();
      room.session.close();
      spoken.resolve(voiceSound(500));
      await announced;
    },
    'disconnected',
  ],
  [
    'disconnects before the first word',
    async (room) => {
      await room.announce();
      await room.wait(100);
      room.session.close();
    },
    'disconnected',
  ],
  [
    'has no voice',
    async (room) => {
      room.turnClient.speaks(async () => null);
      await room.announce();
    },
    'no_voice',
  ],
  [
    'already has four to say',
    async (room) => {
      (await room.ask('Tell me a story.')).says('Once upon a time.', 5_000);
      await room.silence(1_000);
      for (let count = 0; count < 5; count += 1) await room.announce();
    },
    'too_many',
  ],
  [
    'is stopped during its chime',
    async (room) => {
      await room.announce();
      await room.wait(100);
      await room.take({ type: 'response.cancel' });
    },
    'cancelled',
  ],
  [
    'is talked over twice before the first word',
    async (room) => {
      await room.announce();
      const begun = () => room.states.filter(([state]) => state === 'playing').length;
      for (const times of [1, 2]) {
        while (begun() < times) await room.silence(32);
        (await room.ask('What time is it?')).ends('skills');
      }
    },
    'interrupted',
  ],
])('reports that a satellite did not say an announcement if it %s', async (_, happens, reason) => {
  const room = await openRoom();

  await happens(room);

  expect(room.states.at(-1)).toEqual(['failed', reason]);
});

test('reports an announcement as failed if someone mutes the satellite while it waits', async () => {
  let isMuted = false;
  const room = await openRoom({
    speakers: {
      now: () => speakerAt({ ...untouchedSpeaker, muted: isMuted ? { until: null } : null }, 0),
      leftMs: () => 0,
      wallAfter: () => '',
      change: () => undefined,
    },
  });
  (await room.ask('Tell me a story.')).says('Once upon a time.', 1_000);
  await room.silence(500);
  await room.announce();

  isMuted = true;
  await room.silence(12_000);

  expect(room.states).toEqual([['waiting'], ['failed', 'muted']]);
});

test('says an announcement although the voice failed at first', async () => {
  const room = await openRoom();
  const sounds = [null, voiceSound(500)];
  room.turnClient.speaks(async () => sounds.shift() ?? null);

  await room.announce();
  await room.wait(2_000);

  expect(room.states).toEqual([['waiting'], ['playing']]);
  expect(room.of('response.done')).toMatchObject([{ status: 'completed', reply: text }]);
});

/** Connections of this process, by session. */
function openProcess(satellites: Readonly<Record<string, AnnouncingSatellite>>) {
  const unsaid: object[] = [];
  const told: [session: string, state: AnnouncementState][] = [];
  const announcing = createAnnouncing({
    onPlayed: async () => undefined,
    onUnsaid: (each) => unsaid.push(each),
    onError: () => undefined,
  });
  for (const [session, satellite] of Object.entries(satellites)) announcing.put(session, satellite);
  const announce = (...sessions: string[]): void =>
    announcing.onOrder({ id: 'one', text, sessions, from: null }, (...each) => told.push(each));
  return { announcing, announce, unsaid, told };
}
const satelliteOf = ({ session }: LiveSession): AnnouncingSatellite => ({
  conversation: 'kitchen',
  say: session.relay,
});

test('says an announcement on the new connection of a satellite that reconnects', async () => {
  const [before, now] = [await openLiveSession(), await openLiveSession()];
  (await before.ask('Tell me a story.')).says('Once upon a time.', 5_000);
  await before.silence(1_000);
  const { announcing, announce, unsaid, told } = openProcess({ old: satelliteOf(before) });
  announce('old');
  await before.wait(0);

  announcing.put('new', satelliteOf(now));
  announcing.leave('old');
  before.session.close();
  await now.wait(2_000);

  expect(now.of('response.done')).toMatchObject([{ status: 'completed', reply: text }]);
  expect(unsaid).toEqual([]);
  expect(told.at(-1)).toEqual(['old', 'playing']);
});

test('logs and reports each announcement that a satellite did not say', async () => {
  const broken = async () => {
    throw new Error('a defect');
  };
  const { announce, unsaid, told } = openProcess({
    muted: { conversation: 'kitchen', say: async (_, tell) => tell('failed', 'muted') },
    broken: { conversation: 'bath', say: broken },
  });

  announce('muted', 'broken', 'of another process');
  await expect.poll(() => told.length).toBe(2);

  expect(unsaid).toEqual([{ session: 'muted', conversation: 'kitchen', reason: 'muted' }]);
  expect(told).toEqual([
    ['muted', 'failed'],
    ['broken', 'failed'],
  ]);
});
