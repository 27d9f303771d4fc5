import type { Pcm } from '../audio/pcm.ts';
import type { FetchedSounds } from '../home-sound/fetched-sounds.ts';
import { createHomeSpeakerSound } from '../home-sound/home-speaker.ts';
import { createHomeSpeakersHere } from '../home-sound/home-speakers-here.ts';
import { createSpeakerPlayback } from '../home-sound/speaker-playback.ts';
import { systemClock as clock } from '../http/system-clock.ts';
import type { Announcing } from '../listen/ringing/announcing.ts';
import type { Ringer } from '../listen/ringing/ringer.ts';
import { subscribeToChannel } from '../redis/channel.ts';
import { createHomeSpeakerStore, homeSpeakersChannel } from '../speakers/home-speaker-store.ts';
import { ownAddressTowards } from '../tls/machine-names.ts';
import type { ApiCore } from './api-core.ts';

/** Timeout for synthesizing a sentence. */
const sayMs = 5_000;

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
    config.deviceSound.url ?? `http://${await ownAddressTowards(home())}:${await listen()}`;

  const playbackOn = createSpeakerPlayback({
    clock,
    sounds,
    base,
    playAtHome: workerCalls.playAtHome,
    hushAtHome: workerCalls.hushAtHome,
    log,
    onError,
  });
  const here = createHomeSpeakersHere({
    store,
    clock,
    process: instance,
    prepare: async () => void (await listen()),
    open: (speaker) =>
      createHomeSpeakerSound({
        ...playbackOn(speaker),
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
