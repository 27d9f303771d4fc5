import type { Outlook } from '../audio/endpointer.ts';
import type { SoFar, UtteranceEdge } from '../audio/listener.ts';
import type { Chain } from '../jobs/chain.ts';
import { createAdmission } from './admission.ts';
import type { Attention } from './attention.ts';
import type { Clock } from './clock.ts';
import type { CurrentResponse } from './current-response.ts';
import type { Judgement, Patience } from './end-silences.ts';
import type { ServerEvent } from './listen-events.ts';
import { createLiveTranscript } from './live-transcript.ts';
import type { StoodStill } from './old-sound.ts';
import { createVoiceLength } from './pace.ts';
import {
  type EdgeOf,
  endTimes,
  mayBeForOthers,
  type PendingUtterance,
  type Speaker,
} from './pending-utterance.ts';
import { createSoundGapWatch } from './sound-gap.ts';
import { beginUtterance, warmUp } from './utterance-beginning.ts';
import type { UtteranceFilter } from './utterance-filter.ts';

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
  /** How much of the satellite's sound was not listened to. */
  leftOutMs(): number;
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
  /** What the household calls the assistant. */
  names: readonly string[];
  /** The wake words of the household, by the names of their models. */
  wakeWords: readonly string[];
}

export interface TurnTakingOptions {
  clock: Clock;
  newTurnId: () => string;
  chain: Pick<Chain, 'startTurn' | 'transcribePartial' | 'warm'>;
  microphone: Microphone;
  currentResponse: CurrentResponse;
  judge: (transcript: string) => Judgement;
  filter: UtteranceFilter;
  /** Takes back what a turn has done, before a new one does it differently. */
  undo: (turnId: string) => Promise<void>;
  send: (event: ServerEvent) => void;
  settings: () => TurnTakingSettings;
  standstill: () => StoodStill;
  /** Nobody could tell what was said. True: it has ended what rings here. */
  endsRinging: (speechMs: number) => boolean;
  /** Whether a sentence needs the assistant's name or a wake word. */
  attention: Attention;
  /** A sentence without the wake word in it. */
  behindWord: (transcript: string, phrases: readonly string[]) => string;
  /** How much sound waits to be looked at. */
  behindMs: () => number;
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

  const voice = createVoiceLength();
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
    utterance: () => open?.utterance ?? null,
    voicedMs: voice.until,
    cleaned: (transcript) =>
      open?.rule?.nameRule === 'said' ? options.behindWord(transcript, open.rule.calledBy ?? []) : transcript,
  });

  /** More is known of an utterance. */
  const goOn = (pending: PendingUtterance): void => {
    const { state, transcript, isSure } = pending.utterance;
    if (state === 'pausing') words.show({ text: transcript ?? '', isSure }, pausedAtMs);
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
    const edgeAtMs = clock.nowMs() - options.behindMs();
    const fromMs = edgeAtMs - (edge.atMs - edge.fromMs);
    const rule = options.speaker().isManual ? undefined : attention.ruleAt(fromMs);
    const before = mayBeForOthers({ rule }) ? keepEarly(edge) : withdrawEarly(edge);
    settings = options.settings();
    microphone.wait(settings);
    open = beginUtterance(options, { edge, edgeAtMs, before, rule, settings, onMore: goOn });
    showWords(open);
    gap.watch(open);
  };
  /** Of what may not be for the assistant nothing is shown. */
  const showWords = (pending: PendingUtterance): void => {
    if (!mayBeForOthers(pending)) words.start(pending.room);
  };
  /** What somebody is saying has a wake word in it. */
  const wordHeard = (): void => {
    if (open === null || open.rule === undefined) return;
    const rule = attention.takeWord();
    const isMeant = rule?.nameRule === 'said';
    if (rule === null || (!isMeant && !mayBeForOthers(open))) return;
    open.rule = rule;
    open.utterance.follow(rule);
    if (!isMeant) return;
    open.hasInterrupted = currentResponse.interrupt() || open.hasInterrupted;
    warmUp(options, open, settings);
    showWords(open);
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
    const [turn_id, audio_end_ms] = [
      pending.utterance.turnId,
      Math.round(edge.untilMs + microphone.leftOutMs()),
    ];
    if (!pending.isManual) send({ type: 'input_audio_buffer.speech_stopped', turn_id, audio_end_ms });
    pending.utterance.end(edge);
    admission.admit(pending);
  };

  return {
    hear(edge: UtteranceEdge): void {
      voice.hear(edge);
      if (edge.type === 'started') started(edge);
      else if (edge.type === 'paused') paused(edge);
      else if (edge.type === 'resumed') resumed();
      else ended(edge);
    },
    wordHeard,
    /** Somebody has been speaking for so long, in ms, of whom nobody knows whether they mean the assistant; null: nobody is. */
    unmeantForMs: () => (open !== null && mayBeForOthers(open) ? clock.nowMs() - open.fromMs : null),
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
