import { durationMs, type Pcm } from '../audio/pcm.ts';
import { resample } from '../audio/resample.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import { AppError } from '../errors.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import { type Finding, failed, fine, type Step, seconds, skipped, warning } from './step.ts';
import { again, cut, isSpeech, judgeHearing, type QuestionTranscript, understood } from './test-question.ts';
import { shareTranscribed } from './words.ts';

interface SpeechStepsOptions {
  workerCalls: Pick<WorkerCalls, 'transcribeSample' | 'speak'>;
  /** Why an engine is off. Engines without an entry are on. */
  off: Partial<Record<EngineName, string>>;
  /** The sentence to speak and transcribe. */
  question: string;
  patience: number;
}

/**
 * Time limits for one sentence on a slow machine. The stt and tts steps speak and transcribe more than once.
 */
const times = { speak: 12_000, hear: 15_000, fallback: 14_000, stt: 45_000, tts: 45_000 };

const reinstall =
  'Install espeak-ng: "make up" builds it into the image, "make setup" installs it without Docker.';

/**
 * Checks the fallback voice, the recognition and the voice. Each step uses the sound of the one before, so
 * the order matters.
 */
export function createSpeechSteps({ workerCalls, off, question, patience }: SpeechStepsOptions) {
  const speech = createSpeechRoundTrip({ workerCalls, question, patience });
  let byFallback: Pcm | null = null;
  let byVoice: Pcm | null = null;
  /** A recognition that fails on known speech cannot judge a voice. */
  let hearsWell = false;

  const fallback = async (signal: AbortSignal): Promise<Finding> => {
    byFallback = null;
    const { sound, tookMs } = await speech.say('fallback', signal);
    if (!isSpeech(sound)) {
      return warning(
        'espeak-ng produced no speech from a sentence: if the voice fails, nothing speaks.',
        reinstall,
      );
    }
    byFallback = sound;
    return fine(`It spoke a sentence in ${seconds(tookMs)}, and is ready if the voice fails.`);
  };

  const stt = async (signal: AbortSignal): Promise<Finding> => {
    if (off.stt !== undefined) return skipped(`It is off: ${off.stt}.`);
    const transcript = await speech.hearBest(byFallback, signal);
    if (!transcript) return skipped('There is no voice to transcribe.');
    hearsWell = transcript.share >= understood;
    return judgeHearing(transcript, question);
  };

  const tts = async (signal: AbortSignal): Promise<Finding> => {
    if (off.tts !== undefined) return skipped(`It is off: ${off.tts}.`);
    const { sound, tookMs } = await speech.say('voice', signal);
    if (!isSpeech(sound)) return failed('The voice produced no speech from a sentence.', again('tts'));
    byVoice = sound;
    const result = `It spoke ${seconds(durationMs(sound))} in ${seconds(tookMs)}`;
    if (!hearsWell) return fine(`${result}.`);
    const ours = await speech.hear(sound, signal);
    if (ours.share >= understood) return fine(`${result}, and every word was understood.`);
    // The recognition may have become worse for every voice meanwhile.
    if (byFallback && (await speech.hear(byFallback, signal)).share < understood) return fine(`${result}.`);
    return failed(
      `The speech recognition cannot understand the voice: it heard "${cut(ours.text)}".`,
      again('tts'),
    );
  };

  const step = (name: keyof typeof times, more: Pick<Step, 'name' | 'title' | 'look'>): Step => ({
    limitMs: times[name] * patience,
    needs: ['redis', 'workers'],
    ...more,
  });
  return {
    steps: [
      step('fallback', { name: 'espeak', title: 'The fallback voice', look: softly(fallback) }),
      { ...step('stt', { name: 'stt', title: 'The speech recognition', look: stt }), advice: again('stt') },
      { ...step('tts', { name: 'tts', title: 'The voice', look: tts }), advice: again('tts') },
    ],
    /** The question as spoken by a voice in this check. Null: no voice has spoken. */
    spoken: (): Pcm | null => byVoice ?? byFallback,
  };
}

/** Speaks and transcribes the test question. */
function createSpeechRoundTrip({ workerCalls, question, patience }: Omit<SpeechStepsOptions, 'off'>) {
  const say = (by: 'voice' | 'fallback', signal: AbortSignal) =>
    workerCalls.speak(question, { by, withinMs: times.speak * patience, signal });

  const hear = async (sound: Pcm, signal: AbortSignal): Promise<QuestionTranscript> => {
    const withinMs = times.hear * patience;
    const { text, tookMs } = await workerCalls.transcribeSample(await resample(sound, speechRateHz), {
      withinMs,
      signal,
    });
    return { text, tookMs, share: shareTranscribed(question, text) };
  };

  /** The step of the voice reports its failure. */
  const voiceOrNothing = (signal: AbortSignal) =>
    say('voice', signal).then(
      ({ sound }) => sound,
      () => null,
    );

  return {
    say,
    hear,
    /**
     * Returns the better of two transcripts. The fallback voice comes first, because its result depends only
     * on the recognition. Undefined: no voice is available.
     */
    async hearBest(byFallback: Pcm | null, signal: AbortSignal): Promise<QuestionTranscript | undefined> {
      let best: QuestionTranscript | undefined;
      for (const sounding of [async () => byFallback, voiceOrNothing]) {
        const sound = await sounding(signal);
        if (!isSpeech(sound)) continue;
        const transcript = await hear(sound, signal);
        if (!best || transcript.share > best.share) best = transcript;
        if (best.share >= understood) break;
      }
      return best;
    },
  };
}

/** A failure of the fallback voice is only a warning, because everything works while the main voice does. */
function softly(look: Step['look']): Step['look'] {
  return (signal) =>
    look(signal).catch((error: unknown) => {
      if (!(error instanceof AppError) || signal.aborted) throw error;
      return warning('espeak-ng cannot speak: if the voice fails, nothing speaks.', reinstall);
    });
}
