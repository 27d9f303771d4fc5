import type { Outlook } from '../audio/endpointer.ts';
import type { SoFar, UtteranceEdge } from '../audio/listener.ts';
import type { Chain } from '../jobs/chain.ts';
import type { NameRule } from '../turn/turn.ts';
import { createAdmission } from './admission.ts';
import type { Attention } from './attention.ts';
import type { Clock } from './clock.ts';
import type { CurrentResponse } from './current-response.ts';
import type { Patience } from './end-silences.ts';
import type { ServerEvent } from './listen-events.ts';
import { createLiveTranscript, type Judgement } from './live-transcript.ts';
import type { StoodStill } from './old-sound.ts';
import {
  type EdgeOf,
  endTimes,
  mayBeForOthers,
  newPendingUtterance,
  type PendingUtterance,
  type Speaker,
} from './pending-utterance.ts';
import { createSoundGapWatch } from './sound-gap.ts';
import { createUtterance } from './utterance.ts';
import type { FilterResult, TranscribedUtterance } from './utterance-filter.ts';

export type { Judgement };

/** The microphone of the session. */
export interface Microphone {
  /** Tells how the words in the sound up to `transcribedUntilMs` look. */
  expect(outlook: Outlook, transcribedUntilMs: number): void;
  /** Ends the utterance now. */
  commit(): void;
  /** Forgets the utterance. */
  clear(): void;
  /** How long to wait for more from now on. */
  wait(settings: Pick<TurnTakingSettings, 'endSilenceMs' | 'patience'>): void;
  /** The sound of the utterance so far; null while no voice is heard. */
  soFar(): SoFar | null;
}

/** The household's settings when somebody began to speak. Later changes count from the next utterance on. */
export interface TurnTakingSettings {
  /** The revision of the settings that the work on an utterance follows. */
  revision: number;
  /** Silence that ends an utterance, unless the satellite wants it otherwise. */
  endSilenceMs: number;
  patience: Patience;
  /** Work on the answer begins in a pause, before the end is certain. */
  speculates: boolean;
  /** If the answer takes longer, the assistant says that it is still at it; null: it never does. */
  fillerAfterMs: number | null;
  /** Partial transcripts come no faster than this; null: never. */
  partialsEveryMs: number | null;
  /** A whole command that can be taken back, or a question, is answered at the first pause. */
  endsEarly: boolean;
  /** A sentence that plainly goes on is waited for. */
  waitsForMore: boolean;
}

interface TurnTakingOptions {
  clock: Clock;
  newTurnId: () => string;
  chain: Pick<Chain, 'startTurn' | 'transcribePartial' | 'warm'>;
  microphone: Microphone;
  currentResponse: CurrentResponse;
  judge: (transcript: string) => Judgement;
  filter: (utterance: TranscribedUtterance) => Promise<FilterResult>;
  /** Takes back what a turn has done, before a new one does it differently. */
  undo: (turnId: string) => Promise<void>;
  send: (event: ServerEvent) => void;
  settings: () => TurnTakingSettings;
  standstill: () => StoodStill;
  /** Nobody could tell what was said. True: it has ended what rings here. */
  endsRinging: (speechMs: number) => boolean;
  /** Whether a sentence needs the assistant's name. */
  attention: Attention;
  /** The person whom the next utterance comes from. */
  speaker: () => Speaker;
}

/** Turn-taking: from the edges of speech to utterances, each with the work on its answer. */
export function createTurnTaking(options: TurnTakingOptions) {
  const { clock, microphone, currentResponse, attention, send } = options;
  let settings = options.settings();
  let open: PendingUtterance | null = null;
  /** The last utterance, if it was ended early: it may turn out to go on. */
  let early: PendingUtterance | null = null;
  let pausedAtMs = 0;

  const gap = createSoundGapWatch(options);
  const admission = createAdmission({
    ...options,
    onSettled: (pending) => {
      if (open === pending) open = null;
    },
    isSomeoneSpeaking: () => open !== null,
  });

  const words = createLiveTranscript({
    ...options,
    settings: () => settings,
    turnId: () => open?.utterance.turnId ?? null,
  });

  /** More is known of an utterance. */
  const goOn = (pending: PendingUtterance): void => {
    const { state, transcript } = pending.utterance;
    if (state === 'pausing') words.show(transcript ?? '', pausedAtMs);
    else admission.goOn(pending);
  };

  /** Withdraws the utterance before, if speech goes on with it. */
  const withdrawEarly = ({ continues }: EdgeOf<'started'>): PendingUtterance | null => {
    const before = continues ? early : null;
    early = null;
    if (before?.utterance.state === 'ended') admission.forget(before);
    if (before) currentResponse.cancel('revised', before.utterance.turnId);
    return before;
  };

  /** The utterance before, if speech may go on with it: this is known when its words are. */
  const keepEarly = ({ continues }: EdgeOf<'started'>): PendingUtterance | null => {
    const before = continues ? early : null;
    early = null;
    return before;
  };

  const started = (edge: EdgeOf<'started'>): void => {
    const fromMs = clock.nowMs() - (edge.atMs - edge.fromMs);
    const nameRule = options.speaker().isManual ? undefined : attention.ruleAt(fromMs);
    const before = mayBeForOthers({ nameRule }) ? keepEarly(edge) : withdrawEarly(edge);
    settings = options.settings();
    microphone.wait(settings);
    open = beginUtterance(options, { edge, before, nameRule, settings, onMore: goOn });
    showWords(open);
    gap.watch(open);
  };
  /** Of what may not be for the assistant nothing is shown. */
  const showWords = (pending: PendingUtterance): void => {
    if (!mayBeForOthers(pending)) words.start(pending.room);
  };

  const paused = (edge: EdgeOf<'paused'>): void => {
    pausedAtMs = edge.atMs;
    words.stop();
    open?.utterance.pause(edge);
  };

  const resumed = (): void => {
    if (open === null) return;
    open.utterance.resume();
    showWords(open);
  };

  const ended = (edge: EdgeOf<'ended'>): void => {
    words.stop();
    if (open === null) return;
    const pending = open;
    if (edge.cause === 'cleared') {
      admission.forget(pending);
      return;
    }
    Object.assign(pending, endTimes(edge, { spokenFromMs: pending.spokenFromMs, nowMs: clock.nowMs() }));
    early = edge.cause === 'early' ? pending : null;
    const [turn_id, audio_end_ms] = [pending.utterance.turnId, Math.round(edge.untilMs)];
    if (!pending.isManual) send({ type: 'input_audio_buffer.speech_stopped', turn_id, audio_end_ms });
    pending.utterance.end(edge);
    admission.admit(pending);
  };

  return {
    hear(edge: UtteranceEdge): void {
      if (edge.type === 'started') started(edge);
      else if (edge.type === 'paused') paused(edge);
      else if (edge.type === 'resumed') resumed();
      else ended(edge);
    },
    /** Sound has come, speech or not. */
    soundCame: gap.soundCame,
    /** Somebody speaks, or has spoken and is not answered yet. */
    isOpen: () => open !== null,
    /** Something is being said, or was said and may still be answered. */
    isBusy: () => open !== null || admission.isBusy(),
    /** The satellite has gone. */
    stop(): void {
      words.stop();
      admission.stop();
      open?.utterance.drop();
      open = null;
    },
  };
}

interface Beginning {
  edge: EdgeOf<'started'>;
  /** The utterance before, if this one goes on with it. */
  before: PendingUtterance | null;
  nameRule: NameRule | undefined;
  settings: TurnTakingSettings;
  onMore: (pending: PendingUtterance) => void;
}

/** Somebody begins to speak. If they need no name, they cut off what the assistant is saying, and the model reads up on their conversation. */
function beginUtterance(options: TurnTakingOptions, beginning: Beginning): PendingUtterance {
  const { clock, chain, judge, currentResponse, newTurnId, send } = options;
  const { edge, before, nameRule, settings, onMore } = beginning;
  const speaker = options.speaker();
  const turnId = newTurnId();
  const utterance = createUtterance({
    ...speaker,
    turnId,
    chain,
    before: before?.utterance.transcript ?? null,
    settings,
    nameRule,
    isWhole: (transcript) => judge(transcript).isWhole,
    onMore: () => onMore(pending),
  });
  const pending = newPendingUtterance({
    utterance,
    speaker,
    before,
    edge,
    fillerAfterMs: settings.fillerAfterMs,
    nameRule,
    // Whoever may not mean the assistant does not cut it off.
    hasInterrupted: !mayBeForOthers({ nameRule }) && currentResponse.interrupt(),
    nowMs: clock.nowMs(),
  });
  const { conversation, room, isManual } = speaker;
  if (settings.speculates && !mayBeForOthers({ nameRule }))
    chain.warm({ conversation, room, revision: settings.revision });
  const audio_start_ms = Math.round(edge.fromMs);
  if (!isManual) send({ type: 'input_audio_buffer.speech_started', turn_id: turnId, audio_start_ms });
  return pending;
}
