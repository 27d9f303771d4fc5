import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Pcm } from '../audio/pcm.ts';
import { resample } from '../audio/resample.ts';
import { writeWav } from '../audio/wav.ts';
import type { HomeSpeaker } from '../engines/home-speaker.ts';
import type { FetchedSounds } from '../home-sound/fetched-sounds.ts';
import { createHomeSpeakerSound, type PlayEnd } from '../home-sound/home-speaker.ts';
import { createHomeSpeakersHere } from '../home-sound/home-speakers-here.ts';
import { systemClock as clock } from '../http/system-clock.ts';
import type { Announcing } from '../listen/ringing/announcing.ts';
import type { Ringer } from '../listen/ringing/ringer.ts';
import { subscribeToChannel } from '../redis/channel.ts';
import { createHomeSpeakerStore, homeSpeakersChannel } from '../speakers/home-speaker-store.ts';
import { homeAddresses } from '../tls/machine-names.ts';
import type { ApiCore } from './api-core.ts';

/** Timeout for synthesizing a sentence. */
const sayMs = 5_000;
/** Timeout of a playback. Home Assistant answers when an announcement is over. */
const playMs = 60_000;
/** A player that has not started its download by then counts as silent. */
const fetchMs = 5_000;
/** Every player supports this rate. Some support no lower one. */
const playerRateHz = 48_000;

interface HomeSpeakerWiring {
  sounds: FetchedSounds;
  /** Opens the port for sounds, and resolves with it. */
  listen: () => Promise<number>;
  ringer: Ringer;
  announcing: Announcing;
  /** The sound of a ringing timer, and the one before an announcement. */
  tone: Pcm;
  chime: Pcm;
  instance: string;
}

/** Rings and announces through Home Assistant in rooms without a satellite. */
export function wireHomeSpeakers(core: ApiCore, wiring: HomeSpeakerWiring) {
  const { config, log, redis, subscriber, synthesizeSentence, workerCalls, home, onBadEvent } = core;
  const { sounds, listen, ringer, announcing, tone, chime, instance } = wiring;
  const store = createHomeSpeakerStore({ redis });
  const onError = (error: unknown) =>
    log.warn({ err: error }, 'cannot check the speakers of Home Assistant now');
  const base = async (): Promise<string> =>
    config.deviceSound.url ?? `http://${await ownAddress(home())}:${await listen()}`;

  const play = (speaker: HomeSpeaker) => {
    let current: { drop: () => void } | null = null;
    const limits = (ms: number) => ({ withinMs: ms, signal: AbortSignal.timeout(ms) });
    const end = async (sound: Pcm, text: string, onBegin: () => void): Promise<PlayEnd> => {
      const file = writeWav(await resample(sound, playerRateHz));
      const kept = sounds.keep(file, playMs);
      current = kept;
      let hasBegun = false;
      void kept.fetched.then(() => {
        hasBegun = true;
        onBegin();
      });
      try {
        const url = `${await base()}${kept.path}`;
        if ((await workerCalls.playAtHome({ speaker, url, text }, limits(playMs))) === 'busy') return 'busy';
        await Promise.race([kept.fetched, new Promise((late) => clock.after(fetchMs, () => late(null)))]);
        if (!hasBegun)
          log.warn(
            { room: speaker.room },
            'a speaker of Home Assistant did not fetch its sound: check that it can reach this machine on DEVICE_SOUND_PORT',
          );
      } catch (error) {
        log.warn({ err: error, room: speaker.room }, 'a speaker of Home Assistant failed to play');
      } finally {
        kept.drop();
      }
      return hasBegun ? 'played' : 'failed';
    };
    const hush = (): void => {
      current?.drop();
      workerCalls.hushAtHome(speaker, limits(fetchMs)).catch(onError);
    };
    return { play: end, hush };
  };
  const here = createHomeSpeakersHere({
    store,
    clock,
    process: instance,
    prepare: async () => void (await listen()),
    open: (speaker) =>
      createHomeSpeakerSound({
        ...play(speaker),
        clock,
        say: (text, language) =>
          synthesizeSentence({ text, language, signal: AbortSignal.timeout(sayMs) }).catch(() => null),
        tone,
        chime,
      }),
    ringer,
    announcing,
    onError,
  });
  subscribeToChannel({
    subscriber,
    channel: homeSpeakersChannel,
    onMessage: here.look,
    onListening: here.look,
    onError: onBadEvent,
  });
  return { stop: here.stop };
}

/**
 * The address of this machine for speakers in the home: in Home Assistant's network, unless that runs on this
 * machine.
 */
async function ownAddress(homeUrl: string | null): Promise<string> {
  const [own = '127.0.0.1'] = homeAddresses();
  const found = homeUrl === null ? null : await addressTowards(new URL(homeUrl).hostname).catch(() => null);
  const address = found === null || /^(127\.|::1$)/.test(found) ? own : found;
  return isIPv6(address) ? `[${address}]` : address;
}

/** Sends nothing: connecting a UDP socket only selects the route. */
async function addressTowards(name: string): Promise<string> {
  const { address, family } = await lookup(name.replace(/^\[|\]$/g, ''));
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    socket.connect(9, address);
    await once(socket, 'connect');
    return socket.address().address;
  } finally {
    socket.close();
  }
}
