import type { SentenceOutlook } from '../../audio/endpointer.ts';
import type { TranscriptCandidate } from '../../turn/turn.ts';
import { outlookOf, type TranscriptClassification } from '../utterance/end-silences.ts';
import { breaksOff, hasEnd, isFasterThanSpeech } from './pace.ts';

type SaidSoFar = Omit<Parameters<typeof outlookOf>[1], 'seemsCut' | 'isSure'> & {
  /** How long a voice was heard, without its pauses. */
  voicedMs: number;
};

/**
 * Judges by the words so far which silence ends the utterance. `isTooFast`: whether the recognition has
 * probably completed a text, because no one can say it in this time.
 */
export function createSentenceOutlook(
  judge: (transcript: string) => TranscriptClassification,
  isTooFast = isFasterThanSpeech,
) {
  /** Whether the engine has written a full stop yet. Then a transcript without one is unfinished. */
  let writesEnds = false;

  return (
    { text, isSure, avgLogprob }: TranscriptCandidate,
    { voicedMs, ...about }: SaidSoFar,
  ): SentenceOutlook => {
    writesEnds ||= hasEnd(text);
    const hasNoEnd = breaksOff(text) || (writesEnds && !hasEnd(text));
    const seemsCut = hasNoEnd || isTooFast({ text, avgLogprob }, voicedMs);
    return outlookOf(judge(text), { ...about, isSure, seemsCut });
  };
}
