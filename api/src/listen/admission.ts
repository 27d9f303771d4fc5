import { toAppError } from '../errors.ts';
import type { Answering } from './answering.ts';
import type { Clock } from './clock.ts';
import type { ServerEvent } from './listen-events.ts';
import type { Utterance } from './utterance.ts';
import type { FilterResult, TranscribedUtterance } from './utterance-filter.ts';

/** Shorter speech without words was a cough or a door. */
const burstMs = 500;
/** An utterance is accepted so soon after its end even if nobody knows yet what was said: whoever has spoken wants a sign. */
const mostDoubtMs = 250;

/** An utterance on its way to an answer. */
export interface Hearing {
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
  answering: Answering;
  filter: (utterance: TranscribedUtterance) => Promise<FilterResult>;
  /** Takes back what a turn has done, before a new one does it differently. */
  undo: (turnId: string) => Promise<void>;
  send: (event: ServerEvent) => void;
  /** The utterance is accepted or forgotten. */
  onSettled: (hearing: Hearing) => void;
  isSomeoneSpeaking: () => boolean;
  /** Something that nobody could understand was said. True: it has ended what rings here, and that is its answer. */
  endsRinging: (speechMs: number) => boolean;
}

export type Admission = ReturnType<typeof createAdmission>;

/** What becomes of an utterance whose end is certain: it is accepted and answered, or forgotten, each once. */
export function createAdmission(options: AdmissionOptions) {
  const { clock, answering, filter, undo, send, onSettled, isSomeoneSpeaking, endsRinging } = options;
  const undecided = new Set<Hearing>();

  const transcribed = ({ utterance }: Hearing): void => {
    const [turn_id, transcript] = [utterance.turnId, utterance.transcript ?? ''];
    send({ type: 'conversation.item.input_audio_transcription.completed', turn_id, transcript });
  };

  const settle = (hearing: Hearing): void => {
    hearing.callOffDoubt();
    undecided.delete(hearing);
    onSettled(hearing);
  };

  /** Nothing of it is answered; what had to wait for it need not wait any more. */
  const forget = (hearing: Hearing): void => {
    hearing.utterance.drop();
    settle(hearing);
    send({ type: 'input_audio_buffer.cleared', turn_id: hearing.utterance.turnId });
    if (!isSomeoneSpeaking()) answering.release();
  };

  const accept = (hearing: Hearing): void => {
    const { utterance, untilMs, endSilenceMs, soundMs, fillerAfterMs } = hearing;
    if (!utterance.accept()) return;
    settle(hearing);
    const turnId = utterance.turnId;
    send({ type: 'input_audio_buffer.committed', turn_id: turnId, audio_duration_ms: Math.round(soundMs) });
    const { drop: onCut, played: onPlayed } = utterance;
    answering.begin({ turnId, speechEndMs: untilMs, endSilenceMs, fillerAfterMs, onCut, onPlayed });
    // By now somebody may be speaking again; nobody is talked over.
    if (isSomeoneSpeaking()) answering.interrupt();
  };

  const hand = ({ utterance }: Hearing): void => {
    const taker = answering.takerOf(utterance.turnId);
    if (taker) utterance.speculation?.handTo(taker);
  };

  const answer = async (hearing: Hearing): Promise<void> => {
    const { utterance, revises } = hearing;
    accept(hearing);
    transcribed(hearing);
    try {
      if (revises !== null && utterance.isRevision) await undo(revises);
      utterance.speculation?.confirm();
      hand(hearing);
    } catch (error) {
      // Done twice would be worse than not done.
      answering.takerOf(utterance.turnId)?.fail(toAppError(error));
    }
  };

  const refuse = (hearing: Hearing, reason: Exclude<FilterResult, 'answer'>): void => {
    transcribed(hearing);
    if (hearing.utterance.state === 'ended') forget(hearing);
    else answering.cancel(reason, hearing.utterance.turnId);
  };

  /** A burst without words may pass in silence, and so may a murmur while an answer is on its way; a button was pressed on purpose. */
  const maySilentlyPass = ({ utterance, isManual, hasInterrupted, speechMs }: Hearing): boolean => {
    const isBurst = speechMs < burstMs;
    const othersWait = utterance.state === 'ended' && answering.isPending();
    return !isManual && !hasInterrupted && (isBurst || othersWait);
  };

  const decide = async (hearing: Hearing): Promise<void> => {
    const { utterance } = hearing;
    if (hearing.isJudged) return;
    hearing.isJudged = true;
    const transcript = utterance.transcript ?? '';
    const result = await filter({
      ...hearing,
      transcript,
      maySilentlyPass: maySilentlyPass(hearing),
    });
    if (utterance.state === 'over') return;
    if (result === 'answer') await answer(hearing);
    else refuse(hearing, result);
  };

  /** Why there is no answer is an answer. */
  const fail = (hearing: Hearing): void => {
    const { utterance, speechMs } = hearing;
    if (utterance.transcript === null && endsRinging(speechMs)) {
      if (utterance.state === 'ended') forget(hearing);
      else answering.cancel('acknowledged', utterance.turnId);
      return;
    }
    accept(hearing);
    hand(hearing);
  };

  /** Goes on with what is known by now. */
  const goOn = (hearing: Hearing): void => {
    if (hearing.utterance.failure) fail(hearing);
    else if (hearing.utterance.transcript !== null) void decide(hearing);
  };

  return {
    /** The end of speech is certain. */
    admit(hearing: Hearing): void {
      undecided.add(hearing);
      hearing.callOffDoubt = clock.after(mostDoubtMs, () => {
        accept(hearing);
        goOn(hearing);
      });
      goOn(hearing);
    },
    /** More is known of an utterance whose end is certain. */
    goOn,
    forget,
    isBusy: () => undecided.size > 0,
    /** Nobody is there any more. */
    stop(): void {
      for (const hearing of undecided) {
        hearing.callOffDoubt();
        hearing.utterance.drop();
      }
      undecided.clear();
    },
  };
}
