import type { Outlook } from '../audio/endpointer.ts';
import type { SoFar, UtteranceEdge } from '../audio/listener.ts';
import { durationMs } from '../audio/pcm.ts';
import type { Chain } from '../jobs/chain.ts';
import { createAdmission, type PendingUtterance } from './admission.ts';
import type { Clock } from './clock.ts';
import type { CurrentResponse } from './current-response.ts';
import type { Endpointing, ServerEvent } from './listen-events.ts';
import { createPartialTranscripts } from './partial-transcripts.ts';
import { createUtterance } from './utterance.ts';
import type { FilterResult, TranscribedUtterance } from './utterance-filter.ts';

/** A satellite that stops sending in the middle of speech has nothing more to send; one with a button may take its time. */
const mostGapMs: Readonly<Record<Endpointing, number>> = { server: 1_500, manual: 10_000 };

/** What a transcript looks like to those who answer at once. */
export interface Judgement {
  /** A skill accepts it as it stands. */
  isWhole: boolean;
  /** What it asks for can be taken back. */
  isUndoable: boolean;
  /** The sentence plainly goes on: "set a timer for". */
  goesOn: boolean;
}

/** The microphone of the session. */
export interface Microphone {
  /** What the words look like that were heard in the sound up to `heardUntilMs`. */
  expect(outlook: Outlook, transcribedUntilMs: number): void;
  /** Ends the utterance now. */
  commit(): void;
  /** Forgets the utterance. */
  clear(): void;
  /** So much silence ends an utterance from now on, unless the satellite has said otherwise. */
  endAfter(silenceMs: number): void;
  /** What has been said so far; null while no voice is heard. */
  soFar(): SoFar | null;
}

/** How the household wants it, as it was when somebody began to speak: what is changed meanwhile is for the next utterance. */
export interface TurnTakingSettings {
  /** The revision of the settings, under which the work on an utterance is done. */
  revision: number;
  /** Silence that ends an utterance, unless the satellite wants it otherwise. */
  endSilenceMs: number;
  /** Work on the answer begins in a pause, before the end is certain. */
  speculates: boolean;
  /** When the answer takes longer, something is said meanwhile; null: nothing is. */
  fillerAfterMs: number | null;
  /** Partial transcripts come at most so often; null: never. */
  partialsEveryMs: number | null;
  /** A whole command that can be taken back is answered at the first pause. */
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
  /** Something that nobody could understand was said. True: it has ended what rings here. */
  endsRinging: (speechMs: number) => boolean;
  /** Whom the next utterance comes from. */
  speaker: () => { conversation: string; room: string | null; isManual: boolean };
}

type EdgeOf<Type extends UtteranceEdge['type']> = Extract<UtteranceEdge, { type: Type }>;

/** Turn-taking: from the edges of speech to utterances, each with the work on its answer. */
export function createTurnTaking(options: TurnTakingOptions) {
  const { clock, chain, microphone, currentResponse, judge, send, speaker } = options;
  let settings = options.settings();
  let open: PendingUtterance | null = null;
  /** The last one, when it was taken for whole at its first pause: it may turn out to go on. */
  let whole: PendingUtterance | null = null;
  let pausedAtMs = 0;
  let lastSoundAtMs = clock.nowMs();

  const settled = (pending: PendingUtterance): void => {
    if (open === pending) open = null;
  };
  const admission = createAdmission({
    ...options,
    onSettled: settled,
    isSomeoneSpeaking: () => open !== null,
  });

  const partial = (transcript: string, untilMs: number): void => {
    if (open === null || transcript === '') return;
    const turn_id = open.utterance.turnId;
    send({ type: 'conversation.item.input_audio_transcription.delta', turn_id, transcript });
    microphone.expect(outlookOf(judge(transcript), settings), untilMs);
  };
  const partials = createPartialTranscripts({
    chain,
    clock,
    settings: () => settings,
    soFar: microphone.soFar,
    onPartial: partial,
  });

  const more = (pending: PendingUtterance): void => {
    const { state, transcript } = pending.utterance;
    if (state === 'pausing') partial(transcript ?? '', pausedAtMs);
    else admission.goOn(pending);
  };

  const newPending = (
    { atMs, fromMs }: EdgeOf<'started'>,
    before: PendingUtterance | null,
  ): PendingUtterance => {
    const pending: PendingUtterance = {
      ...speaker(),
      utterance: createUtterance({
        ...speaker(),
        turnId: options.newTurnId(),
        chain,
        before: before?.utterance.transcript ?? null,
        settings,
        isWhole: (transcript) => judge(transcript).isWhole,
        onMore: () => more(pending),
      }),
      revises: before?.utterance.speculation?.id ?? null,
      fillerAfterMs: settings.fillerAfterMs,
      hasInterrupted: currentResponse.interrupt(),
      speechMs: 0,
      spokenFromMs: fromMs,
      fromMs: clock.nowMs() - (atMs - fromMs),
      untilMs: clock.nowMs(),
      endSilenceMs: 0,
      soundMs: 0,
      isJudged: false,
      callOffDoubt: () => undefined,
    };
    return pending;
  };

  const started = (edge: EdgeOf<'started'>): void => {
    const before = edge.continues ? whole : null;
    whole = null;
    if (before?.utterance.state === 'ended') admission.forget(before);
    if (before) currentResponse.cancel('revised', before.utterance.turnId);
    settings = options.settings();
    microphone.endAfter(settings.endSilenceMs);
    open = newPending(edge, before);
    const { utterance, conversation, room, isManual } = open;
    if (settings.speculates) chain.warm({ conversation, room, revision: settings.revision });
    partials.start(room);
    watchGap(open);
    if (isManual) return;
    const audio_start_ms = Math.round(edge.fromMs);
    send({ type: 'input_audio_buffer.speech_started', turn_id: utterance.turnId, audio_start_ms });
  };

  const paused = (edge: EdgeOf<'paused'>): void => {
    pausedAtMs = edge.atMs;
    partials.stop();
    open?.utterance.pause(edge);
  };

  const resumed = (): void => {
    if (open === null) return;
    open.utterance.resume();
    partials.start(open.room);
  };

  const ended = (edge: EdgeOf<'ended'>): void => {
    partials.stop();
    if (open === null) return;
    const pending = open;
    if (edge.cause === 'cleared') {
      admission.forget(pending);
      return;
    }
    pending.speechMs = edge.untilMs - pending.spokenFromMs;
    pending.endSilenceMs = edge.atMs - edge.untilMs;
    pending.untilMs = clock.nowMs() - pending.endSilenceMs;
    pending.soundMs = durationMs(edge.sound);
    whole = edge.cause === 'whole' ? pending : null;
    const [turn_id, audio_end_ms] = [pending.utterance.turnId, Math.round(edge.untilMs)];
    if (!pending.isManual) send({ type: 'input_audio_buffer.speech_stopped', turn_id, audio_end_ms });
    pending.utterance.end(edge);
    admission.admit(pending);
  };

  /** Without sound nothing tells the time. */
  const watchGap = (pending: PendingUtterance): void => {
    const limitMs = mostGapMs[pending.isManual ? 'manual' : 'server'];
    const look = (): void => {
      if (!pending.utterance.isOpen()) return;
      const leftMs = lastSoundAtMs + limitMs - clock.nowMs();
      if (leftMs > 0) clock.after(leftMs, look);
      else if (pending.isManual) microphone.clear();
      else microphone.commit();
    };
    clock.after(limitMs, look);
  };

  return {
    hear(edge: UtteranceEdge): void {
      if (edge.type === 'started') started(edge);
      else if (edge.type === 'paused') paused(edge);
      else if (edge.type === 'resumed') resumed();
      else ended(edge);
    },
    /** Sound has come, whatever is in it. */
    soundCame(): void {
      lastSoundAtMs = clock.nowMs();
    },
    /** Somebody speaks, or has spoken and is not answered yet. */
    isOpen: () => open !== null,
    /** Something has been said, or is being said, of which it is not known yet whether it is answered. */
    isBusy: () => open !== null || admission.isBusy(),
    /** Nobody is there any more. */
    stop(): void {
      partials.stop();
      admission.stop();
      open?.utterance.drop();
      open = null;
    },
  };
}

function outlookOf({ isWhole, isUndoable, goesOn }: Judgement, settings: TurnTakingSettings): Outlook {
  if (isWhole && isUndoable && settings.endsEarly) return 'whole';
  return goesOn && settings.waitsForMore ? 'unfinished' : 'ordinary';
}
