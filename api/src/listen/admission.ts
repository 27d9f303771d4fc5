import { toAppError } from '../errors.ts';
import type { Clock } from './clock.ts';
import type { CurrentResponse } from './current-response.ts';
import type { ServerEvent } from './listen-events.ts';
import type { Utterance } from './utterance.ts';
import type { FilterResult, TranscribedUtterance } from './utterance-filter.ts';

/** Shorter speech without words was a cough or a door. */
const burstMs = 500;
/** An utterance is accepted so soon after its end even if nobody knows yet what was said: whoever has spoken wants a sign. */
const mostDoubtMs = 250;

/** An utterance on its way to an answer. */
export interface PendingUtterance {
  utterance: Utterance;
  conversation: string;
  room: string | null;
  isManual: boolean;
  /** It ended what the assistant was saying. */
  hasInterrupted: boolean;
  /** The turn that this one changes, if both were heard as one sentence. */
  revises: string | null;
  /** Where it begins in the sound of the connection, and how long it is spoken for. */
  spokenFromMs: number;
  speechMs: number;
  /** By the clock. */
  fromMs: number;
  untilMs: number;
  endSilenceMs: number;
  soundMs: number;
  fillerAfterMs: number | null;
  isJudged: boolean;
  callOffDoubt: () => void;
}

interface AdmissionOptions {
  clock: Clock;
  currentResponse: CurrentResponse;
  filter: (utterance: TranscribedUtterance) => Promise<FilterResult>;
  /** Takes back what a turn has done, before a new one does it differently. */
  undo: (turnId: string) => Promise<void>;
  send: (event: ServerEvent) => void;
  /** The utterance is accepted or forgotten. */
  onSettled: (pending: PendingUtterance) => void;
  isSomeoneSpeaking: () => boolean;
  /** Something that nobody could understand was said. True: it has ended what rings here, and that is its answer. */
  endsRinging: (speechMs: number) => boolean;
}

export type Admission = ReturnType<typeof createAdmission>;

/** What becomes of an utterance whose end is certain: it is accepted and answered, or forgotten, each once. */
export function createAdmission(options: AdmissionOptions) {
  const { clock, currentResponse, filter, undo, send, onSettled, isSomeoneSpeaking, endsRinging } = options;
  const undecided = new Set<PendingUtterance>();

  const transcribed = ({ utterance }: PendingUtterance): void => {
    const [turn_id, transcript] = [utterance.turnId, utterance.transcript ?? ''];
    send({ type: 'conversation.item.input_audio_transcription.completed', turn_id, transcript });
  };

  const settle = (pending: PendingUtterance): void => {
    pending.callOffDoubt();
    undecided.delete(pending);
    onSettled(pending);
  };

  /** Nothing of it is answered; what had to wait for it need not wait any more. */
  const forget = (pending: PendingUtterance): void => {
    pending.utterance.drop();
    settle(pending);
    send({ type: 'input_audio_buffer.cleared', turn_id: pending.utterance.turnId });
    if (!isSomeoneSpeaking()) currentResponse.release();
  };

  const accept = (pending: PendingUtterance): void => {
    const { utterance, untilMs, endSilenceMs, soundMs, fillerAfterMs } = pending;
    if (!utterance.accept()) return;
    settle(pending);
    const turnId = utterance.turnId;
    send({ type: 'input_audio_buffer.committed', turn_id: turnId, audio_duration_ms: Math.round(soundMs) });
    const { drop: onCut, played: onPlayed } = utterance;
    currentResponse.begin({ turnId, speechEndMs: untilMs, endSilenceMs, fillerAfterMs, onCut, onPlayed });
    // By now somebody may be speaking again; nobody is talked over.
    if (isSomeoneSpeaking()) currentResponse.interrupt();
  };

  const hand = ({ utterance }: PendingUtterance): void => {
    const taker = currentResponse.takerOf(utterance.turnId);
    if (taker) utterance.speculation?.handTo(taker);
  };

  const answer = async (pending: PendingUtterance): Promise<void> => {
    const { utterance, revises } = pending;
    accept(pending);
    transcribed(pending);
    try {
      if (revises !== null && utterance.continuesBefore) await undo(revises);
      utterance.speculation?.confirm();
      hand(pending);
    } catch (error) {
      // Done twice would be worse than not done.
      currentResponse.takerOf(utterance.turnId)?.fail(toAppError(error));
    }
  };

  const refuse = (pending: PendingUtterance, reason: Exclude<FilterResult, 'answer'>): void => {
    transcribed(pending);
    if (pending.utterance.state === 'ended') forget(pending);
    else currentResponse.cancel(reason, pending.utterance.turnId);
  };

  /** A burst without words may pass in silence, and so may a murmur while an answer is on its way; a button was pressed on purpose. */
  const maySilentlyPass = ({ utterance, isManual, hasInterrupted, speechMs }: PendingUtterance): boolean => {
    const isBurst = speechMs < burstMs;
    const othersWait = utterance.state === 'ended' && currentResponse.isPending();
    return !isManual && !hasInterrupted && (isBurst || othersWait);
  };

  const decide = async (pending: PendingUtterance): Promise<void> => {
    const { utterance } = pending;
    if (pending.isJudged) return;
    pending.isJudged = true;
    const transcript = utterance.transcript ?? '';
    const result = await filter({
      ...pending,
      transcript,
      maySilentlyPass: maySilentlyPass(pending),
    });
    if (utterance.state === 'over') return;
    if (result === 'answer') await answer(pending);
    else refuse(pending, result);
  };

  /** Why there is no answer is an answer. */
  const fail = (pending: PendingUtterance): void => {
    const { utterance, speechMs } = pending;
    if (utterance.transcript === null && endsRinging(speechMs)) {
      if (utterance.state === 'ended') forget(pending);
      else currentResponse.cancel('acknowledged', utterance.turnId);
      return;
    }
    accept(pending);
    hand(pending);
  };

  /** Goes on with what is known by now. */
  const goOn = (pending: PendingUtterance): void => {
    if (pending.utterance.failure) fail(pending);
    else if (pending.utterance.transcript !== null) void decide(pending);
  };

  return {
    /** The end of speech is certain. */
    admit(pending: PendingUtterance): void {
      undecided.add(pending);
      pending.callOffDoubt = clock.after(mostDoubtMs, () => {
        accept(pending);
        goOn(pending);
      });
      goOn(pending);
    },
    /** More is known of an utterance whose end is certain. */
    goOn,
    forget,
    isBusy: () => undecided.size > 0,
    /** Nobody is there any more. */
    stop(): void {
      for (const pending of undecided) {
        pending.callOffDoubt();
        pending.utterance.drop();
      }
      undecided.clear();
    },
  };
}
