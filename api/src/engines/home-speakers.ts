import { z } from 'zod';
import type { HomeCalls } from './home-calls.ts';
import { allExposed } from './home-exposed.ts';
import { HomeError } from './home-fault.ts';
import { playerFeatures } from './home-players.ts';
import type { HomeSocket } from './home-socket.ts';
import type { HomeSound, HomeSoundEnd, HomeSpeaker } from './home-speaker.ts';
import { domainOf, type SpeakingThing } from './home-templates.ts';

/** The bits of `supported_features` used here. */
const satelliteAnnounces = 1;
const features = { ...playerFeatures, stop: 4_096, announce: 1_048_576 } as const;
/** Ringing must not switch a screen on. */
const screens = new Set(['tv', 'projector', 'receiver']);

const stateSchema = z.object({ state: z.string() });
/** Home Assistant answers only after a voice device has played everything. */
const playMs = 60_000;

/** The speaker of each room: its voice devices, or else one of its players exposed to Assist. */
export async function speakersOf(
  speakers: readonly SpeakingThing[],
  call: { socket: Pick<HomeSocket, 'ask'>; signal: AbortSignal },
): Promise<HomeSpeaker[]> {
  const satellites = speakers.filter(
    ({ id, features: can }) => domainOf(id) === 'assist_satellite' && (can & satelliteAnnounces) > 0,
  );
  const players = speakers.filter(
    ({ id, features: can, deviceClass }) =>
      domainOf(id) === 'media_player' && (can & features.playMedia) > 0 && !screens.has(deviceClass),
  );
  const exposed = new Set(players.length > 0 ? await allExposed(call) : []);
  const rooms = new Set([...satellites, ...players].map(({ area }) => area));
  return [...rooms].sort().flatMap((room): HomeSpeaker[] => {
    const inRoom = ({ area }: SpeakingThing) => area === room;
    const ids = satellites.filter(inRoom).map(({ id }) => id);
    if (ids.length > 0) return [{ room, kind: 'satellite', ids, announces: true, stops: false }];
    const own = players.filter((player) => inRoom(player) && exposed.has(player.id)).sort(byUse);
    return own.slice(0, 1).map(({ id, features: can }) => ({
      room,
      kind: 'player',
      ids: [id],
      announces: (can & features.announce) > 0,
      stops: (can & features.stop) > 0,
    }));
  });
}

/** Prefers a player that resumes its music over one that loses it. */
function byUse(one: SpeakingThing, other: SpeakingThing): number {
  const announces = ({ features: can }: SpeakingThing) => Number((can & features.announce) > 0);
  return announces(other) - announces(one) || one.id.localeCompare(other.id);
}

/** Plays our sounds on Home Assistant's voice devices and players. Every function throws HomeError. */
export function createHomeSpeakers({ get, post }: Pick<HomeCalls, 'get' | 'post'>) {
  const serve = (service: string, body: object, signal: AbortSignal) =>
    post(`/api/services/${service}`, body, { signal, idleMs: playMs, isOnce: true });
  const stateOf = async (id: string, signal: AbortSignal) =>
    (await get(`/api/states/${id}`, stateSchema, signal)).state;

  return {
    /**
     * Plays a sound. Resolves after playback on a voice device, and after the command was accepted on a
     * player.
     */
    async playSound(
      { speaker: { kind, ids, announces }, url, text }: HomeSound,
      signal: AbortSignal,
    ): Promise<HomeSoundEnd> {
      const states = await Promise.all(ids.map((id) => stateOf(id, signal)));
      const there = ids.filter((_, at) => states[at] !== 'unavailable');
      if (there.length === 0) throw new HomeError('missing');
      if (kind === 'player') {
        const media = { media_content_id: url, media_content_type: 'music' };
        await serve(
          'media_player/play_media',
          { entity_id: there, ...media, ...(announces && { announce: true }) },
          signal,
        );
        return 'taken';
      }
      // An announcement would interrupt a conversation on the device.
      const free = ids.filter((_, at) => states[at] === 'idle');
      if (free.length === 0) return 'busy';
      await serve(
        'assist_satellite/announce',
        { entity_id: free, media_id: url, preannounce: false, ...(text !== '' && { message: text }) },
        signal,
      );
      return 'taken';
    },

    /** Stops the sound of a player; a voice device stops by itself. */
    async endSound({ ids, stops }: HomeSpeaker, signal: AbortSignal): Promise<void> {
      if (stops) await serve('media_player/media_stop', { entity_id: ids }, signal);
    },
  };
}
