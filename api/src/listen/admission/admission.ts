import type { Clock } from '../../clock.ts';
import type { Attention } from '../utterance/attention.ts';
import {
  isBackchannelOrNoise,
  isPassedOver,
  isShortOverAnswer,
  locatedOf,
  mayBeForOthers,
  maySilentlyPass,
  type PendingUtterance,
  type RequestFacts,
} from '../utterance/pending-utterance.ts';
import { createOutcomes, type OutcomesOptions } from './outcomes.ts';
import type { UtteranceFilter } from './utterance-filter.ts';

/** After this delay an utterance is accepted even without a transcript, because the person wants a sign. */
const maxDoubtMs = 250;

interface AdmissionOptions extends OutcomesOptions {
  clock: Clock;
  filter: UtteranceFilter;
  attention: Pick<Attention, 'answers' | 'called' | 'unmeant' | 'elsewhere' | 'mayExplain'>;
  judge: (transcript: string) => RequestFacts;
  /**
   * Called when no words were recognized. True: the speech stopped a ringing timer here, and that is the
   * answer.
   */
  endsRinging: (speechMs: number) => boolean;
}

/** Decides once what happens to an utterance whose end is certain: accept and answer it, or forget it. */
export function createAdmission(options: AdmissionOptions) {
  const { clock, currentResponse, filter, attention, endsRinging, undo, cutOffs, send } = options;
  const { mayBeNoise, isNoise } = createNoiseCheck(options);
  const undecided = new Set<PendingUtterance>();
  const outcomes = createOutcomes({
    ...{ currentResponse, undo, cutOffs, send },
    onSettled: (pending) => {
      pending.callOffDoubt();
      undecided.delete(pending);
      options.onSettled(pending);
    },
    isSomeoneSpeaking: options.isSomeoneSpeaking,
  });

  /** Ends an utterance that is not for the assistant, or only calls it. Sends no transcript. */
  const passOver = async (pending: PendingUtterance): Promise<void> => {
    const located = locatedOf(pending);
    const isElsewhere = located.call === 'sure' && (await filter.isAnsweredElsewhere(located));
    if (pending.utterance.state === 'over') return;
    filter.leave(located);
    outcomes.dismiss(pending, 'nothing_heard');
    if (isElsewhere) attention.elsewhere();
    else if (pending.utterance.isNamed) attention.called();
    else if (!mayBeForOthers(pending)) attention.unmeant();
  };
  const attend = ({ utterance: { turnId, transcript, isNamed }, ...pending }: PendingUtterance): void => {
    const { isLast } = options.judge(transcript ?? '');
    attention.answers({ turnId, isNamed: isNamed || mayBeForOthers(pending), isLast });
  };

  const passNoise = (pending: PendingUtterance): void => {
    pending.isJudged = true;
    const { transcript } = pending.utterance;
    // Claims the words, so that another satellite in the room does not answer them.
    if (transcript)
      void filter.judge({ ...pending, ...locatedOf(pending), transcript, maySilentlyPass: true });
    else filter.leave(locatedOf(pending));
    outcomes.dismiss(pending, 'nothing_heard');
  };
  /**
   * Ends an interrupted answer if the words so far are a request. Restarts the work on the request, because
   * its turn has read words that were never played. Returns whether it restarted.
   */
  const endInterrupted = (pending: PendingUtterance): boolean => {
    if (pending.utterance.transcript === null || isNoise(pending)) return false;
    if (!currentResponse.endInterrupted()) return false;
    pending.utterance.restart();
    return true;
  };

  const judge = async (pending: PendingUtterance): Promise<void> => {
    const { utterance } = pending;
    pending.isJudged = true;
    if (isPassedOver(pending)) return passOver(pending);
    const result = await filterResultOf(pending, { filter, currentResponse });
    // The utterance failed meanwhile, and the response has said why.
    if (utterance.state === 'over' || utterance.failure) return;
    if (result === 'answer') {
      attend(pending);
      await outcomes.answer(pending);
    } else {
      if (result === 'duplicate' && locatedOf(pending).call === 'sure') attention.elsewhere();
      else attention.unmeant();
      outcomes.refuse(pending, result);
    }
  };

  const failed = (pending: PendingUtterance): void => {
    currentResponse.endInterrupted();
    filter.leave(locatedOf(pending));
    if (pending.utterance.transcript === null && endsRinging(pending.speechMs)) {
      outcomes.dismiss(pending, 'acknowledged');
    } else if (isUnknown(pending) && !attention.mayExplain()) {
      outcomes.forget(pending);
    } else {
      if (pending.utterance.transcript) attend(pending);
      outcomes.explain(pending);
    }
  };

  const decide = (pending: PendingUtterance): void => {
    if (isNoise(pending)) passNoise(pending);
    else if (!endInterrupted(pending)) void judge(pending);
  };

  /** Continues with the information available now. */
  const goOn = (pending: PendingUtterance): void => {
    if (pending.utterance.failure) failed(pending);
    else if (pending.utterance.transcript !== null && !pending.isJudged) decide(pending);
  };

  const acceptInTime = (pending: PendingUtterance): void => {
    pending.callOffDoubt = clock.after(maxDoubtMs, () => {
      outcomes.accept(pending);
      goOn(pending);
    });
  };

  return {
    /** Admits an utterance whose end is certain. */
    admit(pending: PendingUtterance): void {
      if (pending.rule?.nameRule === 'unheard') {
        outcomes.forget(pending);
        return;
      }
      if (!pending.isManual) filter.enter(locatedOf(pending));
      undecided.add(pending);
      if (!mayBeForOthers(pending)) acceptInTime(pending);
      goOn(pending);
    },
    /** Called when more is known about an utterance whose end is certain. */
    goOn,
    ...{ mayBeNoise, isNoise },
    endInterrupted,
    forget: outcomes.forget,
    withdraw: outcomes.withdraw,
    isBusy: () => undecided.size > 0,
    /** Called when the satellite has disconnected. */
    stop(): void {
      for (const pending of undecided) {
        pending.callOffDoubt();
        pending.utterance.drop();
      }
      undecided.clear();
    },
  };
}

/** Without a transcript we cannot tell whether the assistant was meant. */
function isUnknown(pending: PendingUtterance): boolean {
  return mayBeForOthers(pending) && pending.utterance.transcript === null;
}

/** Recognizes short words over an answer that ask for nothing: "mm-hm". */
function createNoiseCheck({ currentResponse, judge }: Pick<AdmissionOptions, 'currentResponse' | 'judge'>) {
  /** Whether its words may ask for nothing, so that the interrupted answer may continue. */
  const mayBeNoise = (pending: PendingUtterance): boolean => {
    const answer = currentResponse.interruptedText();
    // "Yeah" answers a question.
    return answer !== null && !answer.trimEnd().endsWith('?') && isShortOverAnswer(pending);
  };
  const isNoise = (pending: PendingUtterance): boolean => {
    const { transcript } = pending.utterance;
    return mayBeNoise(pending) && transcript !== null && isBackchannelOrNoise(pending, judge(transcript));
  };
  return { mayBeNoise, isNoise };
}

/** Whether to answer an utterance, or the reason not to. */
function filterResultOf(
  pending: PendingUtterance,
  { filter, currentResponse }: Pick<AdmissionOptions, 'filter' | 'currentResponse'>,
): ReturnType<UtteranceFilter['judge']> {
  const { state, transcript } = pending.utterance;
  const awaitsOther = state === 'ended' && currentResponse.isPending();
  return filter.judge({
    ...pending,
    ...locatedOf(pending),
    transcript: transcript ?? '',
    maySilentlyPass: maySilentlyPass(pending, { awaitsOther }),
  });
}
