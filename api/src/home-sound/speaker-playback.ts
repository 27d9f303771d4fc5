import type { Pcm } from '../audio/pcm.ts';
import { resample } from '../audio/resample.ts';
import { writeWav } from '../audio/wav.ts';
import type { Clock } from '../clock.ts';
import type { HomeSound, HomeSoundEnd, HomeSpeaker } from '../engines/home-speaker.ts';
import type { Logger } from '../log.ts';
import type { FetchedSounds } from './fetched-sounds.ts';
import type { PlayEnd } from './home-speaker.ts';

/** Timeout of a playback. Home Assistant answers when an announcement is over. */
const playMs = 60_000;
/** A player that has not started its download by then counts as silent. */
const fetchMs = 5_000;
/** Every player supports this rate. Some support no lower one. */
const playerRateHz = 48_000;

interface Limits {
  withinMs: number;
  signal: AbortSignal;
}

interface SpeakerPlaybackOptions {
  clock: Pick<Clock, 'after'>;
  sounds: Pick<FetchedSounds, 'keep'>;
  /** The address of this machine for the speakers. */
  base: () => Promise<string>;
  playAtHome: (sound: HomeSound, limits: Limits) => Promise<HomeSoundEnd>;
  hushAtHome: (speaker: HomeSpeaker, limits: Limits) => Promise<void>;
  log: Logger;
  onError: (error: unknown) => void;
}

/** Plays sounds on the speakers of Home Assistant, which download them from this process. */
export function createSpeakerPlayback(options: SpeakerPlaybackOptions) {
  const { clock, sounds, base, playAtHome, hushAtHome, log, onError } = options;
  const limits = (ms: number) => ({ withinMs: ms, signal: AbortSignal.timeout(ms) });

  return (speaker: HomeSpeaker) => {
    let current: { drop: () => void } | null = null;
    return {
      /** Plays a sound. `onBegin` is called when its download begins. Never rejects. */
      async play(sound: Pcm, text: string, onBegin: () => void): Promise<PlayEnd> {
        const kept = sounds.keep(writeWav(await resample(sound, playerRateHz)), playMs);
        current = kept;
        let hasBegun = false;
        void kept.fetched.then(() => {
          hasBegun = true;
          onBegin();
        });
        try {
          const url = `${await base()}${kept.path}`;
          if ((await playAtHome({ speaker, url, text }, limits(playMs))) === 'busy') return 'busy';
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
      },
      /** Stops playback. */
      hush(): void {
        current?.drop();
        hushAtHome(speaker, limits(fetchMs)).catch(onError);
      },
    };
  };
}
