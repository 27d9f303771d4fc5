import { isSilentFor, type KeptSpeaker, type SpeakerChange } from '../speakers/speaker.ts';
import type { Clock } from './clock.ts';
import type { ClientEvent, ServerEvent, SpeakerState } from './listen-events.ts';
import { amplified } from './loudness.ts';

/** What rings is never softer than this: whoever turned an answer down still wants to wake up. */
const leastRingingVolume = 30;
/** Timers of the machine count no further than some weeks. */
const maxWaitMs = 12 * 60 * 60_000;

/** The loudspeakers as they are kept. */
export interface KeptSpeakers {
  now(name: string): KeptSpeaker;
  leftMs(until: number): number;
  wallAfter(ms: number): string;
  change(name: string, change: SpeakerChange): void;
}

interface SessionSpeakerOptions {
  speakers: KeptSpeakers;
  clock: Clock;
  /** Its name now. */
  name: () => string;
  send: (event: ServerEvent) => void;
}

/** How the sound of a response is to be heard. */
export interface Loudness {
  /** Nothing of it is heard. */
  isSilent(turnId: string): boolean;
  /** The sound at the volume of this moment: whoever mutes a loudspeaker does not want the rest of the sentence. */
  apply(samples: Buffer, turnId: string): Buffer;
  /** The satellite is told to play it so loud; null: it need not know. */
  told(): number | null;
}

export type SessionSpeaker = ReturnType<typeof createSessionSpeaker>;

/** The loudspeaker of one connection: how loud it is, and whether it is muted. */
export function createSessionSpeaker({ speakers, clock, name, send }: SessionSpeakerOptions) {
  let control: SpeakerState['volume_control'] = 'server';
  let told = '';
  let callOff = (): void => undefined;

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
  /** Without what passes by itself. */
  const print = (): string => {
    const { volume, muted } = speakers.now(name());
    return JSON.stringify([volume, muted, control]);
  };
  const endMuteInTime = (): void => {
    callOff();
    const { muted } = speakers.now(name());
    if (muted?.until == null) return;
    callOff = clock.after(Math.min(speakers.leftMs(muted.until) + 1, maxWaitMs), look);
  };
  const tell = (): void => {
    told = print();
    endMuteInTime();
    send({ type: 'speaker.changed', turn_id: null, speaker: state() });
  };
  function look(): void {
    if (print() === told) endMuteInTime();
    else tell();
  }
  const volumeFor = (rings: boolean): number => {
    const { volume } = speakers.now(name());
    return rings ? Math.max(volume, leastRingingVolume) : volume;
  };

  return {
    /** For `session.created` and `session.updated`, with which the satellite knows it. */
    tellWith(): SpeakerState {
      told = print();
      endMuteInTime();
      return state();
    },
    isMuted: (): boolean => speakers.now(name()).muted !== null,
    /** It may have changed. */
    look,
    /** The satellite has changed it. */
    take({ speaker }: Extract<ClientEvent, { type: 'speaker.update' }>): void {
      const { volume, muted, muted_ms: mutedMs, volume_control } = speaker;
      control = volume_control ?? control;
      if (volume !== undefined || muted !== undefined) speakers.change(name(), { volume, muted, mutedMs });
      tell();
    },
    /** For a response: one that rings is always heard. */
    loudness(rings: boolean): Loudness {
      const isSilent = (turnId: string) => !rings && isSilentFor(speakers.now(name()), turnId);
      return {
        isSilent,
        apply(samples, turnId) {
          if (isSilent(turnId)) return amplified(samples, 0);
          return control === 'client' ? samples : amplified(samples, volumeFor(rings));
        },
        told: () => (control === 'client' ? volumeFor(rings) : null),
      };
    },
    stop: (): void => callOff(),
  };
}
