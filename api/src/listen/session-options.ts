import type { Silences } from '../audio/endpointer.ts';
import type { Listener } from '../audio/listener.ts';
import type { Pcm } from '../audio/pcm.ts';
import type { Clock } from '../clock.ts';
import type { HouseholdChoice } from '../satellites/household-choice.ts';
import type { PreloadConversation } from '../turn-client/conversation-preload.ts';
import type { TranscribePartial } from '../turn-client/partial-transcription.ts';
import type { TurnClient } from '../turn-client/turn-client.ts';
import type { WakeWord } from '../wake/wake-word.ts';
import type { CallClaims } from './admission/call-claims.ts';
import type { ClaimUtterance } from './admission/duplicates.ts';
import type { Rivals } from './admission/utterance-filter.ts';
import type { RunningTimer, ServerEvent } from './events/listen-events.ts';
import type { CutOffs } from './playback/cut-offs.ts';
import type { RecentSentences } from './playback/echo.ts';
import type { OwnVoice } from './playback/own-voice.ts';
import type { Loudspeaker } from './playback/playback.ts';
import type { ResponseOptions } from './playback/response.ts';
import type { StoredSpeakers } from './playback/session-speaker.ts';
import type { SessionChoice } from './session-choice.ts';
import type { SessionLimits } from './session-state.ts';
import type { PastSuspension } from './turn-taking/old-sound.ts';
import type { TurnTakingOptions, TurnTakingSettings } from './turn-taking/turn-taking-options.ts';
import type { TranscriptClassification } from './utterance/end-silences.ts';
import type { PausesByClient } from './utterance/known-pauses.ts';
import type { WakeGateOptions } from './wake-gate.ts';

/** Dependencies of one satellite connection. */
export interface SessionOptions
  extends Pick<ResponseOptions, 'onUsage'>,
    Pick<WakeGateOptions, 'openMemory'>,
    Pick<TurnTakingOptions, 'isTooFast'> {
  id: string;
  choice: SessionChoice;
  /** The household's settings for a satellite of this name. */
  household: (client: string | null) => Pick<HouseholdChoice, 'room' | 'wake' | 'language'>;
  /** Called when the satellite or the household has changed the session. */
  onChoice: (choice: SessionChoice) => void;
  clock: Clock;
  newTurnId: () => string;
  /** Opens the microphone. `isPlaying` says whether the assistant is audible now. */
  openListener: (how: { silences: Silences; isPlaying: () => boolean }) => Listener;
  turnClient: Pick<TurnClient, 'startTurn'>;
  transcribePartial: TranscribePartial;
  preloadConversation: PreloadConversation;
  voice: OwnVoice;
  saying: RecentSentences;
  claim: ClaimUtterance;
  /** Compares how well other satellites heard the same speech. */
  rivals: Rivals;
  /** Decides which satellite answers a person who is heard in several rooms. */
  calls: CallClaims;
  judge: (transcript: string, language?: string) => TranscriptClassification;
  /** The wake words of these names that have a model. Unchanged words keep their object identity. */
  wakeWords: (names: readonly string[]) => readonly WakeWord[];
  /** How people pause inside their sentences, by client. */
  pauses: PausesByClient;
  /** Counts the people who went on speaking after an answer began. */
  cutOffs: CutOffs;
  /** Undoes what a turn has done, before a revised turn does it differently. */
  undo: (turnId: string) => Promise<void>;
  /** Whether a turn has only commanded the house, and that can be undone. */
  canBeUndone: (turn: { turnId: string; conversation: string }) => Promise<boolean>;
  /** The running timers for a conversation or room. */
  timers: (choice: SessionChoice) => RunningTimer[];
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
  /** Called when someone has been answered. */
  onAnswered: () => void;
  /** Stored volume and mute of the satellites. */
  speakers: StoredSpeakers;
  /** The household's current settings. */
  settings: () => TurnTakingSettings;
  /** When this process was last suspended. */
  suspension: () => PastSuspension;
  limits: SessionLimits;
  send: (event: ServerEvent) => void;
  loudspeaker: Loudspeaker;
  onFault: (error: unknown) => void;
}
