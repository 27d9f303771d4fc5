import type { Pcm } from '../../audio/pcm.ts';
import type { Clock } from '../../clock.ts';
import type { ServerEvent } from '../events/listen-events.ts';
import type { CurrentResponse } from '../playback/current-response.ts';
import type { OwnVoice } from '../playback/own-voice.ts';
import { createAnnouncer, createShortSound } from './announcement.ts';
import { createRinging } from './ringing.ts';
import { createRoomAnnouncer } from './room-announcer.ts';

interface UnpromptedSoundsOptions {
  clock: Clock;
  send: (event: ServerEvent) => void;
  newTurnId: () => string;
  voice: Pick<OwnVoice, 'say'>;
  /** The language that is spoken there. Undefined: the household's first one. */
  language: () => string | undefined;
  currentResponse: CurrentResponse;
  isMuted: () => boolean;
  isSomeoneSpeaking: () => boolean;
  /** The sound of a ringing timer. */
  tone: Pcm;
  /** The sound before an announcement. */
  chime: Pcm;
  /** The sound that answers the assistant's name alone. */
  ready: Pcm;
  /** The sound after an answer: the next sentence needs no name. */
  goOn: Pcm;
  /** Called when someone has stopped the ringing here. */
  onStopped: () => void;
}

/** Pause between an answer and the sound that people may go on talking. */
const goOnAfterMs = 120;

/** The sound soon after an answer, unless it is no longer wanted then. */
function createGoOnSound({ goOn, ...options }: Omit<UnpromptedSoundsOptions, 'tone' | 'chime' | 'ready'>) {
  const play = createShortSound({ ...options, sound: goOn });
  return (isWanted: () => boolean): void => {
    options.clock.after(goOnAfterMs, () => {
      if (isWanted()) play();
    });
  };
}

/** Everything that one satellite plays without a request: ringing, announcements and short sounds. */
export function createUnpromptedSounds({ tone, chime, ready, goOn, ...shared }: UnpromptedSoundsOptions) {
  return {
    ringing: createRinging({ ...shared, tone }),
    announce: createAnnouncer(shared),
    announcer: createRoomAnnouncer({ ...shared, chime }),
    playGoOn: createGoOnSound({ ...shared, goOn }),
    playReady: createShortSound({ ...shared, sound: ready }),
    playChime: createShortSound({ ...shared, sound: chime }),
  };
}
