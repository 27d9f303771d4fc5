import type { UtteranceEdge } from '../../audio/listener.ts';
import { createAdmission } from '../admission/admission.ts';
import type { ServerEvent } from '../events/listen-events.ts';
import type { CurrentResponse } from '../playback/current-response.ts';
import {
  type EdgeOf,
  endTimes,
  mayBeForOthers,
  type PendingUtterance,
} from '../utterance/pending-utterance.ts';
import { createLiveTranscript } from './live-transcript.ts';
import { createVoiceLength } from './pace.ts';
import { createSoundGapWatch } from './sound-gap.ts';
import type { TurnTakingOptions } from './turn-taking-options.ts';
import { beginUtterance, noteCall, prepareFor } from './utterance-beginning.ts';

/** Speech that begins this soon after an answered utterance may be the rest of its sentence. */
const maxRestMs = 2_000;

/** Turn-taking: turns edges of speech into utterances, each with the work on its answer. */
export function createTurnTaking(options: TurnTakingOptions) {
  const { clock, microphone, currentResponse, judge, filter, attention, send, transcribePartial } = options;
  let settings = options.settings();
  let open: PendingUtterance | null = null;
  let pausedAtMs = 0;

  const [voice, gap] = [createVoiceLength(), createSoundGapWatch(options)];
  const admission = createAdmission({
    ...{ clock, filter, attention, judge, currentResponse, send },
    ...{ endsRinging: options.endsRinging, undo: options.undo, cutOffs: options.cutOffs },
    onSettled: (pending) => {
      if (open === pending) open = null;
    },
    isSomeoneSpeaking: () => open !== null,
  });
  const earlier = createEarlierUtterances({ currentResponse, withdraw: admission.withdraw });

  const words = createLiveTranscript({
    ...{ transcribePartial, clock, microphone, judge, send, isTooFast: options.isTooFast },
    settings: () => settings,
    utterance: () => open?.utterance ?? null,
    answersQuestion: () => open?.answersQuestion === true,
    voicedMs: (untilMs) => voice.until(untilMs) + (open?.utterance.isRest ? voice.beforeMs : 0),
    rule: () => open?.rule,
  });

  /** Continues with new information about an utterance. */
  const goOn = (pending: PendingUtterance): void => {
    const { state, candidate } = pending.utterance;
    if (state === 'pausing') {
      words.show(candidate, pausedAtMs, { isNoise: admission.isNoise(pending) });
      admission.endInterrupted(pending);
    } else admission.goOn(pending);
  };

  const started = (edge: EdgeOf<'started'>): void => {
    const edgeAtMs = clock.nowMs() - options.behindMs();
    const rule = ruleOf(edge, edgeAtMs, options);
    const parts = earlier.continuedBy(edge, { rule });
    settings = options.settings();
    microphone.wait(settings);
    open = beginUtterance(options, { edge, edgeAtMs, ...parts, rule, settings, onMore: goOn });
    showWords(open);
    gap.watch(open);
  };
  /** Starts partial transcripts, unless the speech may be for someone else. */
  const showWords = (pending: PendingUtterance): void => {
    if (!mayBeForOthers(pending)) words.start({ room: pending.room, language: pending.language });
  };
  /** A wake word was detected in the current speech. */
  const wakeWordDetected = (): void => {
    if (open === null || open.rule === undefined) return;
    const rule = attention.takeWord();
    const isMeant = rule?.nameRule === 'said';
    if (rule === null || (!isMeant && !mayBeForOthers(open))) return;
    open.rule = rule;
    open.utterance.follow(rule);
    if (!isMeant) return;
    open.hasInterrupted = currentResponse.interrupt() || open.hasInterrupted;
    prepareFor(options, open, settings);
    showWords(open);
  };

  const paused = (edge: EdgeOf<'paused'>): void => {
    pausedAtMs = edge.atMs;
    words.stop();
    if (open === null) return;
    open.speechMs = edge.untilMs - open.spokenFromMs;
    noteCall(options, open, edge.sound);
    if (open.hasInterrupted && !admission.mayBeNoise(open)) currentResponse.endInterrupted();
    open.utterance.pause(edge);
  };

  const resumed = (): void => {
    open?.utterance.resume();
    if (open !== null) showWords(open);
  };

  const ended = (edge: EdgeOf<'ended'>) => {
    words.stop();
    if (open === null) return;
    const pending = open;
    if (edge.cause === 'cleared') return admission.forget(pending);
    Object.assign(pending, endTimes(edge, { spokenFromMs: pending.spokenFromMs, nowMs: clock.nowMs() }));
    earlier.ended(pending, edge);
    if (!pending.isManual) send(speechStopped(pending, edge.untilMs + microphone.leftOutMs()));
    pending.utterance.end(edge);
    admission.admit(pending);
  };

  return {
    onEdge(edge: UtteranceEdge): void {
      voice.onEdge(edge);
      if (edge.type === 'started') started(edge);
      else if (edge.type === 'paused') paused(edge);
      else if (edge.type === 'resumed') resumed();
      else ended(edge);
    },
    ...{ wakeWordDetected, beginAnew: earlier.forget },
    /** How long the current speech may have been for someone else, in ms. Null: no current speech. */
    unmeantForMs: () => (open !== null && mayBeForOthers(open) ? clock.nowMs() - open.fromMs : null),
    /** Sound has arrived, with or without speech. */
    soundCame: gap.soundCame,
    /** Whether someone is speaking, or the utterance is not settled yet. */
    isOpen: () => open !== null,
    /** Whether someone is speaking, or an utterance may still get an answer. */
    isBusy: () => open !== null || admission.isBusy(),
    /** The satellite has disconnected. */
    stop(): void {
      words.stop();
      admission.stop();
      open?.utterance.drop();
      open = null;
    },
  };
}

/** Undefined: the person has pressed a button, so the speech needs no name. */
function ruleOf(
  { atMs, fromMs }: EdgeOf<'started'>,
  edgeAtMs: number,
  { speaker, attention }: Pick<TurnTakingOptions, 'speaker' | 'attention'>,
): PendingUtterance['rule'] {
  return speaker().isManual ? undefined : attention.ruleAt(edgeAtMs - (atMs - fromMs));
}

function speechStopped({ utterance }: PendingUtterance, untilMs: number): ServerEvent {
  return {
    type: 'input_audio_buffer.speech_stopped',
    turn_id: utterance.turnId,
    audio_end_ms: Math.round(untilMs),
  };
}

interface EarlierUtterancesOptions {
  currentResponse: CurrentResponse;
  withdraw: (pending: PendingUtterance) => void;
}

/** Remembers the last utterance, because the next speech may continue it. */
function createEarlierUtterances({ currentResponse, withdraw }: EarlierUtterancesOptions) {
  /** The last utterance, if it ended early. */
  let early: PendingUtterance | null = null;
  /** The last utterance that a pause has ended, and where its voice ended in the sound. */
  let last: { pending: PendingUtterance; untilMs: number } | null = null;

  /** The previous utterance, if it was answered and speech soon after it may be the rest of its sentence. */
  const answeredPart = ({ continues, fromMs }: EdgeOf<'started'>): PendingUtterance | null => {
    if (continues || last === null || fromMs - last.untilMs > maxRestMs) return null;
    return last.pending.utterance.state === 'accepted' ? last.pending : null;
  };

  return {
    /** Withdraws the utterance that the speech continues, unless the speech may be for others. */
    continuedBy(edge: EdgeOf<'started'>, rule: Pick<PendingUtterance, 'rule'>) {
      const answered = mayBeForOthers(rule) ? null : answeredPart(edge);
      const before = edge.continues ? early : null;
      [last, early] = [null, null];
      if (before !== null && !mayBeForOthers(rule)) {
        if (before.utterance.state === 'ended') withdraw(before);
        currentResponse.cancel('revised', before.utterance.turnId);
      }
      return { before, answered };
    },
    /** The next speech continues nothing, however little sound came in between. */
    forget(): void {
      [last, early] = [null, null];
    },
    ended(pending: PendingUtterance, { cause, untilMs }: EdgeOf<'ended'>): void {
      early = cause === 'early' ? pending : null;
      last = cause === 'early' || cause === 'silence' ? { pending, untilMs } : null;
    },
  };
}
