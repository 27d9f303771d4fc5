import type { Clock } from './clock.ts';
import { createOutcomes, type OutcomesOptions } from './outcomes.ts';
import { maySilentlyPass, type PendingUtterance } from './pending-utterance.ts';
import type { FilterResult, TranscribedUtterance } from './utterance-filter.ts';

/** This long after its end an utterance is accepted even if its words are not known yet: the person wants a sign. */
const mostDoubtMs = 250;

interface AdmissionOptions extends OutcomesOptions {
  clock: Clock;
  filter: (utterance: TranscribedUtterance) => Promise<FilterResult>;
  /** Nobody could tell what was said. True: it has ended what rings here, and that is its answer. */
  endsRinging: (speechMs: number) => boolean;
}

export type Admission = ReturnType<typeof createAdmission>;

/** Decides what becomes of an utterance whose end is certain: it is accepted and answered, or forgotten, each once. */
export function createAdmission(options: AdmissionOptions) {
  const { clock, currentResponse, filter, endsRinging } = options;
  const undecided = new Set<PendingUtterance>();
  const outcomes = createOutcomes({
    ...options,
    onSettled: (pending) => {
      pending.callOffDoubt();
      undecided.delete(pending);
      options.onSettled(pending);
    },
  });

  const judge = async (pending: PendingUtterance): Promise<void> => {
    const { utterance } = pending;
    if (pending.isJudged) return;
    pending.isJudged = true;
    const awaitsOther = utterance.state === 'ended' && currentResponse.isPending();
    const result = await filter({
      ...pending,
      transcript: utterance.transcript ?? '',
      maySilentlyPass: maySilentlyPass(pending, { awaitsOther }),
    });
    if (utterance.state === 'over') return;
    if (result === 'answer') await outcomes.answer(pending);
    else outcomes.refuse(pending, result);
  };

  const failed = (pending: PendingUtterance): void => {
    if (pending.utterance.transcript === null && endsRinging(pending.speechMs)) {
      outcomes.dismiss(pending, 'acknowledged');
    } else {
      outcomes.explain(pending);
    }
  };

  /** Goes on with what is known by now. */
  const goOn = (pending: PendingUtterance): void => {
    if (pending.utterance.failure) failed(pending);
    else if (pending.utterance.transcript !== null) void judge(pending);
  };

  return {
    /** The end of speech is certain. */
    admit(pending: PendingUtterance): void {
      undecided.add(pending);
      pending.callOffDoubt = clock.after(mostDoubtMs, () => {
        outcomes.accept(pending);
        goOn(pending);
      });
      goOn(pending);
    },
    /** More is known of an utterance whose end is certain. */
    goOn,
    forget: outcomes.forget,
    isBusy: () => undecided.size > 0,
    /** The satellite has gone. */
    stop(): void {
      for (const pending of undecided) {
        pending.callOffDoubt();
        pending.utterance.drop();
      }
      undecided.clear();
    },
  };
}
