import type { SentenceOutlook } from '../../audio/endpointer.ts';
import type { OpenUtterance } from '../../audio/listener.ts';
import type { Clock } from '../../clock.ts';
import type { TranscriptCandidate } from '../../turn/turn.ts';
import type { TranscribePartial } from '../../turn-client/partial-transcription.ts';
import type { ServerEvent } from '../events/listen-events.ts';
import type { CallRule } from '../utterance/attention.ts';
import type { TranscriptClassification } from '../utterance/end-silences.ts';
import type { Utterance } from '../utterance/utterance.ts';
import { wordsOf } from '../utterance/words.ts';
import { createPartialTranscripts } from './partial-transcripts.ts';
import { createSentenceOutlook } from './sentence-outlook.ts';
import type { TurnTakingOptions } from './turn-taking-options.ts';

/** Maximum number of words of a short answer. A longer one may continue. */
const maxAnswerWords = 3;

interface LiveTranscriptOptions {
  transcribePartial: TranscribePartial;
  clock: Clock;
  microphone: {
    soFar(): OpenUtterance | null;
    expect(outlook: SentenceOutlook, transcribedUntilMs: number): void;
  };
  judge: (transcript: string) => TranscriptClassification;
  isTooFast: TurnTakingOptions['isTooFast'];
  send: (event: ServerEvent) => void;
  settings: () => {
    partialsEveryMs: number | null;
    revision: number;
    endsEarly: boolean;
    waitsForMore: boolean;
  };
  /** The current utterance. Null if there is none. */
  utterance: () => Pick<Utterance, 'turnId' | 'standsAlone' | 'overhear'> | null;
  /** Whether the assistant asked a question before the current utterance. */
  answersQuestion: () => boolean;
  /** How much voice was heard before this position, in ms. */
  voicedMs: (untilMs: number) => number;
  /** Whether the current utterance needs a name or wake word, and which ones. */
  rule: () => CallRule | undefined;
}

/** Sends the transcript of an unfinished utterance, and tells the endpointer which silence to expect. */
export function createLiveTranscript(options: LiveTranscriptOptions) {
  const { transcribePartial, clock, microphone, judge, send, settings, utterance } = options;
  const { answersQuestion, voicedMs, rule } = options;

  const outlookOf = createSentenceOutlook(judge, options.isTooFast);

  const show = (
    said: TranscriptCandidate,
    untilMs: number,
    { isShown = true, isNoise = false } = {},
  ): void => {
    const { text: transcript } = said;
    const turn_id = utterance()?.turnId;
    if (turn_id === undefined || transcript === '') return;
    if (isShown) send({ type: 'conversation.item.input_audio_transcription.delta', turn_id, transcript });
    const isAnswer = answersQuestion() && wordsOf(transcript).length <= maxAnswerWords;
    const about = { ...settings(), voicedMs: voicedMs(untilMs), isAnswer };
    const outlook = outlookOf(said, about);
    // The interrupted answer continues, so no one waits for the rest of such a sentence.
    microphone.expect(isNoise && about.endsEarly ? 'stated' : outlook, untilMs);
  };
  const partials = createPartialTranscripts({
    transcribePartial,
    clock,
    settings,
    calledBy: () => (rule()?.nameRule === 'said' ? rule()?.calledBy : undefined),
    soFar: () => {
      const said = microphone.soFar();
      return said && utterance()?.standsAlone() ? { ...said, joined: null } : said;
    },
    onPartial: (partial, untilMs) => {
      // It may turn out to be a remark for others, which is never shown.
      const isShown = rule()?.nameRule !== 'request';
      const text = utterance()?.overhear(partial.text) ?? partial.text;
      show({ ...partial, text }, untilMs, { isShown });
    },
  });
  return { show, start: partials.start, stop: partials.stop };
}
