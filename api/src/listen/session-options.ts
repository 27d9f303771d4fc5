import type { Silences } from '../audio/endpointer.ts';
import type { Listener } from '../audio/listener.ts';
import type { Pcm } from '../audio/pcm.ts';
import type { Chain } from '../jobs/chain.ts';
import type { HouseholdChoice } from '../satellites/household-choice.ts';
import type { WakeWord } from '../wake/wake-word.ts';
import type { Clock } from './clock.ts';
import type { ClaimUtterance } from './duplicates.ts';
import type { Saying } from './echo.ts';
import type { Judgement } from './end-silences.ts';
import type { PausesByClient } from './known-pauses.ts';
import type { RunningTimer, ServerEvent } from './listen-events.ts';
import type { StoodStill } from './old-sound.ts';
import type { OwnVoice } from './own-voice.ts';
import type { Loudspeaker } from './playback.ts';
import type { ResponseOptions } from './response.ts';
import type { SessionChoice } from './session-choice.ts';
import type { KeptSpeakers } from './session-speaker.ts';
import type { SessionLimits } from './session-state.ts';
import type { TurnTakingSettings } from './turn-taking.ts';
import type { Rivals } from './utterance-filter.ts';
import type { WakeEarsOptions } from './wake-ears.ts';

/** What one connection of a satellite needs of everything around it. */
export interface SessionOptions
  extends Pick<ResponseOptions, 'onUsage'>,
    Pick<WakeEarsOptions, 'openMemory'> {
  id: string;
  choice: SessionChoice;
  /** What the household has set for a satellite of this name. */
  household: (client: string | null) => Pick<HouseholdChoice, 'room' | 'wake'>;
  /** The satellite, or the household for it, has chosen otherwise. */
  onChoice: (choice: SessionChoice) => void;
  clock: Clock;
  newTurnId: () => string;
  /** Opens the microphone; it is told whether the assistant can be heard at the moment. */
  openListener: (how: { silences: Silences; isPlaying: () => boolean }) => Listener;
  chain: Pick<Chain, 'startTurn' | 'transcribePartial' | 'warm'>;
  voice: OwnVoice;
  saying: Saying;
  claim: ClaimUtterance;
  /** How well other satellites heard the same. */
  rivals: Rivals;
  judge: (transcript: string) => Judgement;
  /** A sentence without the wake word in it. */
  behindWord: (transcript: string, phrases: readonly string[]) => string;
  /** The wake words of these names whose models are there; the same objects as long as they stay the same. */
  wakeWords: (names: readonly string[]) => readonly WakeWord[];
  /** How people pause inside their sentences, by client. */
  pauses: PausesByClient;
  /** Takes back what a turn has done, before a new one does it differently. */
  undo: (turnId: string) => Promise<void>;
  /** The timers that run for a conversation or a room. */
  timers: (choice: SessionChoice) => RunningTimer[];
  /** The sound of a timer that rings. */
  tone: Pcm;
  /** The sound before the words of another room. */
  chime: Pcm;
  /** The sound that answers the assistant's name alone. */
  ready: Pcm;
  /** Somebody has stopped what rings here. */
  onStopped: () => void;
  /** Somebody has spoken with the assistant. */
  onAnswered: () => void;
  /** How loud the satellites are. */
  speakers: KeptSpeakers;
  /** The household's settings now. */
  settings: () => TurnTakingSettings;
  /** When this process last stood still. */
  standstill: () => StoodStill;
  limits: SessionLimits;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  onFault: (error: unknown) => void;
}
