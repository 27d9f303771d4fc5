import type { Clock } from '../../clock.ts';
import { isSilentFor, type SpeakerChange, type StoredSpeaker } from '../../speakers/speaker.ts';
import type { ClientEvent, ServerEvent, SpeakerState } from '../events/listen-events.ts';
import { amplified } from './loudness.ts';
import type { Loudspeaker } from './playback.ts';

/** Minimum volume of a ringing timer. People who turned answers down still want to wake up. */
const minRingingVolume = 30;
/** `setTimeout` overflows after some weeks, so a long mute is split into shorter waits. */
const maxWaitMs = 12 * 60 * 60_000;

/** Store of the volumes and mutes. */
export interface StoredSpeakers {
  now(name: string): StoredSpeaker;
  leftMs(until: number): number;
  wallAfter(ms: number): string;
  change(name: string, change: SpeakerChange): void;
}

interface SessionSpeakerOptions {
  speakers: StoredSpeakers;
  clock: Clock;
  /** The current name of the satellite. */
  name: () => string;
  send: (event: ServerEvent) => void;
  /** Whether a program only reads this answer. */
  isReadOnly?: Loudspeaker['isReadOnly'];
}

/** How a response is to be played. */
export interface Loudness {
  /** The response is muted entirely. */
  isSilent(turnId: string): boolean;
  /** Applies the current volume, because a mute must also silence the rest of a sentence. */
  apply(samples: Buffer, turnId: string): Buffer;
  /** The volume for the satellite to apply. Null: the server applies it. */
  volumeForClient(): number | null;
}

/** The loudspeaker of one connection: its volume and mute. */
export function createSessionSpeaker({ speakers, clock, name, send, isReadOnly }: SessionSpeakerOptions) {
  let control: SpeakerState['volume_control'] = 'server';
  let lastState = '';
  let cancelTimeout = (): void => undefined;

  const state = (): SpeakerState => {
    const { volume, muted } = speakers.now(name());
    const leftMs = muted?.until == null ? null : Math.round(speakers.leftMs(muted.until));
    return {
      volume,
      muted: muted !== null,
      muted_until: leftMs === null ? null : speakers.wallAfter(leftMs),
      muted_ms: leftMs,
      volume_control: control,
    };
  };
  /** Leaves out the remaining time, because it changes by itself. */
  const print = (): string => {
    const { volume, muted } = speakers.now(name());
    return JSON.stringify([volume, muted, control]);
  };
  const endMuteInTime = (): void => {
    cancelTimeout();
    const { muted } = speakers.now(name());
    if (muted?.until == null) return;
    cancelTimeout = clock.after(Math.min(speakers.leftMs(muted.until) + 1, maxWaitMs), look);
  };
  const tell = (): void => {
    lastState = print();
    endMuteInTime();
    send({ type: 'speaker.changed', turn_id: null, speaker: state() });
  };
  function look(): void {
    if (print() === lastState) endMuteInTime();
    else tell();
  }
  const volumeFor = (rings: boolean): number => {
    const { volume } = speakers.now(name());
    return rings ? Math.max(volume, minRingingVolume) : volume;
  };

  return {
    /** The state for `session.created` and `session.updated`, which count as sent to the satellite. */
    tellWith(): SpeakerState {
      lastState = print();
      endMuteInTime();
      return state();
    },
    isMuted: (): boolean => speakers.now(name()).muted !== null,
    /** Checks for changes. */
    look,
    /** The satellite has changed the volume or mute. */
    take({ speaker }: Extract<ClientEvent, { type: 'speaker.update' }>): void {
      const { volume, muted, muted_ms: mutedMs, volume_control } = speaker;
      control = volume_control ?? control;
      if (volume !== undefined || muted !== undefined) speakers.change(name(), { volume, muted, mutedMs });
      tell();
    },
    /** The loudness for a response. A ringing one is always audible. */
    loudness(rings: boolean): Loudness {
      const isSilent = (turnId: string) =>
        !rings && (isReadOnly?.(turnId) === true || isSilentFor(speakers.now(name()), turnId));
      return {
        isSilent,
        apply(samples, turnId) {
          if (isSilent(turnId)) return amplified(samples, 0);
          return control === 'client' ? samples : amplified(samples, volumeFor(rings));
        },
        volumeForClient: () => (control === 'client' ? volumeFor(rings) : null),
      };
    },
    stop: (): void => cancelTimeout(),
  };
}
