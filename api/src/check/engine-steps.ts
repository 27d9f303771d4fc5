import { randomUUID } from 'node:crypto';
import { durationMs, type Pcm, toNumbers } from '../audio/pcm.ts';
import { resample } from '../audio/resample.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import { AppError } from '../errors.ts';
import type { Chain, NewTurn } from '../jobs/chain.ts';
import type { Probes } from '../jobs/probes.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { Reply } from '../turn/turn.ts';
import { type Finding, failed, fine, type Step, seconds, skipped, warning } from './step.ts';
import { hasOneOf, shareTranscribed } from './words.ts';

interface EngineStepsOptions {
  chain: Pick<Chain, 'startTurn'>;
  probes: Pick<Probes, 'hear' | 'speak'>;
  /** Why an engine is off; an engine without an entry is on. */
  off: Partial<Record<EngineName, string>>;
  /** What is said, heard and answered in each check, and the words of which one has to be in the answer. */
  question: string;
  answer: readonly string[];
  /** Tests cannot wait as long as people do: a share of all times. */
  patience?: number;
}

/** Whoever hears less of a clear sentence than this hears something else; below the upper share some words were lost. */
const understood = 0.8;
const hardly = 0.5;

/** Sound of a voice is louder than this in the middle (of 32768), and lasts so long for our sentence. */
const quietLevel = 50;
const spokenMs = { least: 400, most: 15_000 };

/**
 * One sentence on a slow machine: what takes longer to speak or to hear it hangs. The steps of the ears and the voice have both in them, more
 * than once.
 */
const times = {
  speak: 12_000,
  hear: 15_000,
  fallback: 14_000,
  stt: 45_000,
  tts: 45_000,
  llm: 30_000,
  whole: 45_000,
};

const again = (what: EngineName) =>
  `Look at the lines of "${what}" in "make logs", and start it again: "make down", then "make up" or "make run".`;

/** Each engine by real work, then all of them together as a person uses them. */
export function engineSteps(options: EngineStepsOptions): Step[] {
  const { chain, probes, off, question, answer, patience = 1 } = options;
  const within = (what: keyof typeof times) => times[what] * patience;
  /** What the fallback voice and the voice have said in this check. */
  let byFallback: Pcm | null = null;
  let byVoice: Pcm | null = null;
  /** Ears that do not hear well cannot judge a voice. */
  let hearsWell = false;

  const say = async (by: 'voice' | 'fallback', signal: AbortSignal) => {
    const { sound, tookMs } = await probes.speak(question, { by, withinMs: within('speak'), signal });
    return { sound, tookMs };
  };
  /** How it fails is told by the step of the voice. */
  const voiceOrNothing = (signal: AbortSignal) =>
    say('voice', signal).then(
      ({ sound }) => sound,
      () => null,
    );
  const hear = async (sound: Pcm, signal: AbortSignal) => {
    const at = { withinMs: within('hear'), signal };
    const transcript = await probes.hear(await resample(sound, speechRateHz), at);
    return { ...transcript, share: shareTranscribed(question, transcript.text) };
  };

  const fallback = async (signal: AbortSignal): Promise<Finding> => {
    byFallback = null;
    const { sound, tookMs } = await say('fallback', signal);
    if (!isSpeech(sound)) {
      return warning(
        'espeak-ng made no sound of a sentence: when the voice fails, nothing speaks.',
        reinstall,
      );
    }
    byFallback = sound;
    return fine(`It spoke a sentence in ${seconds(tookMs)}, and is ready if the voice fails.`);
  };

  /**
   * What is heard best: of the fallback voice first, for what is heard well of that is no merit of the voice, and a bad voice is no fault of the
   * ears. Undefined when nothing speaks.
   */
  const bestTranscript = async (signal: AbortSignal) => {
    let best: Awaited<ReturnType<typeof hear>> | undefined;
    for (const sounding of [async () => byFallback, voiceOrNothing]) {
      const sound = await sounding(signal);
      if (!isSpeech(sound)) continue;
      const transcript = await hear(sound, signal);
      if (!best || transcript.share > best.share) best = transcript;
      if (best.share >= understood) break;
    }
    return best;
  };
  const stt = async (signal: AbortSignal): Promise<Finding> => {
    if (off.stt !== undefined) return skipped(`It is off: ${off.stt}.`);
    const transcript = await bestTranscript(signal);
    if (!transcript) return skipped('There is no voice for it to listen to.');
    hearsWell = transcript.share >= understood;
    if (hearsWell) return fine(`It heard every word in ${seconds(transcript.tookMs)}.`);
    const message = `The speech recognition heard "${cut(transcript.text)}" instead of "${question}"`;
    return transcript.share >= hardly
      ? warning(`${message}.`, 'A larger model hears better: "make models".')
      : failed(`${message}.`, again('stt'));
  };

  const tts = async (signal: AbortSignal): Promise<Finding> => {
    if (off.tts !== undefined) return skipped(`It is off: ${off.tts}.`);
    const { sound, tookMs } = await say('voice', signal);
    if (!isSpeech(sound)) return failed('The voice produced no speech from a sentence.', again('tts'));
    byVoice = sound;
    const told = `It spoke ${seconds(durationMs(sound))} in ${seconds(tookMs)}`;
    if (!hearsWell) return fine(`${told}.`);
    const ours = await hear(sound, signal);
    if (ours.share >= understood) return fine(`${told}, and every word was understood.`);
    // Whoever hears this voice badly may hear any voice badly by now.
    if (byFallback && (await hear(byFallback, signal)).share < understood) return fine(`${told}.`);
    return failed(
      `The speech recognition cannot understand the voice: it heard "${cut(ours.text)}".`,
      again('tts'),
    );
  };

  const ask = async (asked: Pick<NewTurn, 'source' | 'question'>, signal: AbortSignal) => {
    let firstSoundMs: number | null = null;
    const begunAt = performance.now();
    const turn = await chain.startTurn({
      ...asked,
      id: randomUUID(),
      conversation: null,
      room: null,
      isCheck: true,
      speaks: asked.source === 'voice',
      onSpeech: ({ sound }) => {
        if (sound) firstSoundMs ??= performance.now() - begunAt;
      },
    });
    const leave = () => turn.cancel();
    signal.addEventListener('abort', leave, { once: true });
    try {
      const reply = await turn.reply;
      const spans = await turn.spoken;
      return { reply, spans, firstSoundMs, tookMs: performance.now() - begunAt };
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };

  const llm = async (signal: AbortSignal): Promise<Finding> => {
    if (off.llm !== undefined) return skipped(`It is off: ${off.llm}.`);
    const { reply, tookMs } = await ask({ source: 'chat', question: { text: question } }, signal);
    if (reply.via !== 'local') {
      return warning(
        `"${reply.via}" answered the question meant for the language model.`,
        'A rule of your household matches a sentence that it should leave alone.',
      );
    }
    return (
      answered(reply) ?? fine(`It knows the answer to "${question}", and said so in ${seconds(tookMs)}.`)
    );
  };

  const answered = ({ text }: Reply): Finding | undefined =>
    hasOneOf(text, answer)
      ? undefined
      : failed(
          `Asked "${question}", the language model said "${cut(text)}".`,
          `Choose a better model with "make models", or start it again: ${again('llm')}`,
        );

  const whole = async (signal: AbortSignal): Promise<Finding> => {
    const sound = byVoice ?? byFallback;
    if (off.stt !== undefined || off.llm !== undefined || !sound)
      return skipped('Part of it is switched off.');
    const asked = { source: 'voice', question: { sound: await resample(sound, speechRateHz) } } as const;
    const { reply, spans, firstSoundMs, tookMs } = await ask(asked, signal);
    if (shareTranscribed(question, reply.heard ?? '') < hardly) {
      return failed(
        `The speech recognition heard a spoken question as "${cut(reply.heard ?? '')}".`,
        again('stt'),
      );
    }
    const wrong = answered(reply);
    if (wrong) return wrong;
    if (firstSoundMs === null) {
      return warning('A spoken question got an answer in words, but no voice spoke them.', again('tts'));
    }
    return fine(
      `Heard in ${seconds(spans.stt ?? 0)}, answered in ${seconds(spans.llm ?? 0)}, first sound after ${seconds(firstSoundMs)}, all of it after ${seconds(tookMs)}.`,
    );
  };

  const engine = { needs: ['redis', 'workers'] } as const;
  return [
    {
      name: 'espeak',
      title: 'The fallback voice',
      limitMs: within('fallback'),
      ...engine,
      look: softly(fallback),
    },
    {
      name: 'stt',
      title: 'The speech recognition',
      limitMs: within('stt'),
      ...engine,
      advice: again('stt'),
      look: stt,
    },
    { name: 'tts', title: 'The voice', limitMs: within('tts'), ...engine, advice: again('tts'), look: tts },
    {
      name: 'llm',
      title: 'The language model',
      limitMs: within('llm'),
      ...engine,
      advice: again('llm'),
      look: llm,
    },
    {
      name: 'turn',
      title: 'A spoken question',
      limitMs: within('whole'),
      needs: ['redis', 'workers', 'stt', 'tts', 'llm'],
      look: whole,
    },
  ];
}

const reinstall =
  'Install espeak-ng: "make up" builds it into the image, "make setup" installs it without Docker.';

/** Without the fallback voice everything works as long as the voice does. */
function softly(look: Step['look']): Step['look'] {
  return (signal) =>
    look(signal).catch((error: unknown) => {
      if (!(error instanceof AppError) || signal.aborted) throw error;
      return warning('espeak-ng cannot speak: when the voice fails, nothing does.', reinstall);
    });
}

function isSpeech(sound: Pcm | null): sound is Pcm {
  if (!sound) return false;
  const lengthMs = durationMs(sound);
  if (lengthMs < spokenMs.least || lengthMs > spokenMs.most) return false;
  const numbers = toNumbers(sound.samples);
  const power = numbers.reduce((sum, number) => sum + number * number, 0) / numbers.length;
  return Math.sqrt(power) > quietLevel;
}

/** What an engine made of our own sentence; enough of it to see that it is wrong. */
function cut(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 80)}...`;
}
