import type { SentenceOutlook } from '../../audio/endpointer.ts';
import type { OpenUtterance } from '../../audio/listener.ts';
import type { Clock } from '../../clock.ts';
import type { PreloadConversation } from '../../turn-client/conversation-preload.ts';
import type { TranscribePartial } from '../../turn-client/partial-transcription.ts';
import type { TurnClient } from '../../turn-client/turn-client.ts';
import type { UtteranceFilter } from '../admission/utterance-filter.ts';
import type { ServerEvent } from '../events/listen-events.ts';
import type { CurrentResponse } from '../playback/current-response.ts';
import type { CutOffs } from '../playback/cut-offs.ts';
import type { Attention } from '../utterance/attention.ts';
import type { Patience, TranscriptClassification } from '../utterance/end-silences.ts';
import type { UtteranceOrigin } from '../utterance/pending-utterance.ts';
import type { PastSuspension } from './old-sound.ts';
import type { isFasterThanSpeech } from './pace.ts';

/** The session's microphone. */
interface Microphone {
  /** Reports the kind of transcript for the sound up to `transcribedUntilMs`. */
  expect(outlook: SentenceOutlook, transcribedUntilMs: number): void;
  /** Ends the utterance now. */
  commit(): void;
  /** Drops the utterance. */
  clear(): void;
  /** Sets the end silence from now on. */
  wait(settings: Pick<TurnTakingSettings, 'endSilenceMs' | 'patience'>): void;
  /** Sound of the current utterance. Null while no voice is heard. */
  soFar(): OpenUtterance | null;
  /** How much of the satellite's sound was skipped. */
  leftOutMs(): number;
}

/** The household's settings at the beginning of an utterance. Later changes apply to the next one. */
export interface TurnTakingSettings {
  /** The settings revision for the work on an utterance. */
  revision: number;
  /** Silence that ends an utterance, unless the satellite has set its own. */
  endSilenceMs: number;
  patience: Patience;
  /** Work on the answer begins in a pause, before the end is certain. */
  speculates: boolean;
  /** If the answer takes longer, the assistant says that it is still working. Null: it never does. */
  fillerAfterMs: number | null;
  /** Minimum time between partial transcripts. Null: none. */
  partialsEveryMs: number | null;
  /** A complete command that can be undone, or a question, is answered at the first pause. */
  endsEarly: boolean;
  /** An incomplete sentence gets a longer end silence. */
  waitsForMore: boolean;
  /** A sound after an answer tells that the next sentence needs no name. */
  followUpSound: boolean;
  /** The assistant's names in this household. */
  names: readonly string[];
  /** How speech recognition spells the names. They count as names, but people do not see them. */
  nameSpellings: readonly string[];
  /** The household's wake words, by the names of their models. */
  wakeWords: readonly string[];
}

export interface TurnTakingOptions {
  clock: Clock;
  newTurnId: () => string;
  turnClient: Pick<TurnClient, 'startTurn'>;
  transcribePartial: TranscribePartial;
  preloadConversation: PreloadConversation;
  microphone: Microphone;
  currentResponse: CurrentResponse;
  judge: (transcript: string) => TranscriptClassification;
  /** Whether no one can say a text in this time. Undefined: the pace of speech decides. */
  isTooFast?: typeof isFasterThanSpeech | undefined;
  filter: UtteranceFilter;
  /** Undoes what a turn has done, before a revised turn does it differently. */
  undo: (turnId: string) => Promise<void>;
  /** Whether a turn has only commanded the house, and that can be undone. */
  canBeUndone: (turn: { turnId: string; conversation: string }) => Promise<boolean>;
  cutOffs: CutOffs;
  send: (event: ServerEvent) => void;
  settings: () => TurnTakingSettings;
  suspension: () => PastSuspension;
  /** Called when no words were recognized. True: the speech stopped a ringing timer here. */
  endsRinging: (speechMs: number) => boolean;
  /** Decides whether a sentence needs the assistant's name or a wake word. */
  attention: Attention;
  /** How much sound is waiting to be processed. */
  behindMs: () => number;
  /** The speaker of the next utterance. */
  speaker: () => UtteranceOrigin;
}
