import { toAppError } from '../../errors.ts';
import type { CancelReason, ServerEvent } from '../events/listen-events.ts';
import type { CurrentResponse } from '../playback/current-response.ts';
import type { CutOffs } from '../playback/cut-offs.ts';
import type { PendingUtterance } from '../utterance/pending-utterance.ts';

export interface OutcomesOptions {
  currentResponse: CurrentResponse;
  /** Undoes what a turn has done, before a revised turn does it differently. */
  undo: (turnId: string) => Promise<void>;
  cutOffs: Pick<CutOffs, 'requested'>;
  send: (event: ServerEvent) => void;
  /** The utterance was accepted or forgotten. */
  onSettled: (pending: PendingUtterance) => void;
  isSomeoneSpeaking: () => boolean;
}

/** The possible outcomes of an utterance: answered, explained after a failure, or dismissed. */
export function createOutcomes(options: OutcomesOptions) {
  const { currentResponse, undo, cutOffs, send, onSettled, isSomeoneSpeaking } = options;

  const accept = (pending: PendingUtterance): void => {
    const { utterance, untilMs, endSilenceMs, soundMs, fillerAfterMs } = pending;
    if (!utterance.accept()) return;
    onSettled(pending);
    const turnId = utterance.turnId;
    send({ type: 'input_audio_buffer.committed', turn_id: turnId, audio_duration_ms: Math.round(soundMs) });
    const { drop: onCut, played: onPlayed } = utterance;
    currentResponse.begin({ turnId, speechEndMs: untilMs, endSilenceMs, fillerAfterMs, onCut, onPlayed });
    // If someone is speaking again by now, do not talk over them.
    if (isSomeoneSpeaking()) currentResponse.interrupt();
  };

  const withdraw = (pending: PendingUtterance): void => {
    pending.utterance.drop();
    onSettled(pending);
    send({ type: 'input_audio_buffer.cleared', turn_id: pending.utterance.turnId });
  };
  const forget = (pending: PendingUtterance): void => {
    withdraw(pending);
    if (!isSomeoneSpeaking()) currentResponse.release();
  };

  const sendTranscript = ({ utterance }: PendingUtterance): void => {
    const [turn_id, transcript] = [utterance.turnId, utterance.transcript ?? ''];
    send({ type: 'conversation.item.input_audio_transcription.completed', turn_id, transcript });
  };

  const handOver = ({ utterance }: PendingUtterance): void => {
    const sink = currentResponse.sinkOf(utterance.turnId);
    if (sink) utterance.speculation?.handTo(sink);
  };

  const dismiss = (pending: PendingUtterance, reason: CancelReason): void => {
    const { state, turnId } = pending.utterance;
    if (state === 'ended') {
      forget(pending);
      return;
    }
    currentResponse.cancel(reason, turnId);
    if (!isSomeoneSpeaking()) currentResponse.release();
  };

  return {
    /** Begins a response, even before its content is known. */
    accept,
    /** Drops the utterance without a response. Other answers stop waiting for it. */
    forget,
    /** The same, while the person continues to speak. */
    withdraw,
    /** Ends the utterance without an answer, whether or not it was accepted. */
    dismiss,
    /** Like `dismiss`, for an utterance with a transcript. */
    refuse(pending: PendingUtterance, reason: CancelReason): void {
      sendTranscript(pending);
      dismiss(pending, reason);
    },
    async answer(pending: PendingUtterance): Promise<void> {
      cutOffs.requested(pending.afterAnswerMs);
      const { utterance, revises } = pending;
      accept(pending);
      sendTranscript(pending);
      try {
        if (revises !== null && utterance.continuesBefore) await undo(revises);
        utterance.speculation?.confirm();
        handOver(pending);
      } catch (error) {
        // Doing it twice would be worse than not doing it.
        currentResponse.sinkOf(utterance.turnId)?.fail(toAppError(error));
      }
    },
    /** The work on the answer failed, so the response says why. */
    explain(pending: PendingUtterance): void {
      accept(pending);
      handOver(pending);
    },
  };
}
