import { randomUUID } from 'node:crypto';
import type { Pcm } from '../audio/pcm.ts';
import { resample } from '../audio/resample.ts';
import { speechRateHz } from '../audio/speech-rate.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { NewTurn, TurnClient } from '../turn-client/turn-client.ts';
import type { WorkerCalls } from '../turn-client/worker-calls.ts';
import { createSpeechSteps } from './speech-steps.ts';
import { type Finding, type Step, skipped } from './step.ts';
import { again, judgeAnswer, judgeTurn, type TestQuestion } from './test-question.ts';

interface EngineStepsOptions extends TestQuestion {
  turnClient: Pick<TurnClient, 'startTurn'>;
  workerCalls: Pick<WorkerCalls, 'transcribeSample' | 'speak'>;
  /** Why an engine is off. Engines without an entry are on. */
  off: Partial<Record<EngineName, string>>;
  /** Factor for all time limits, so that tests run faster. */
  patience?: number;
}

const times = { llm: 30_000, whole: 45_000 };

/** Tests each engine with real work, then all of them together in a spoken turn. */
export function engineSteps(options: EngineStepsOptions): Step[] {
  const { turnClient, workerCalls, off, question, patience = 1 } = options;
  const speech = createSpeechSteps({ workerCalls, off, question, patience });

  const llm = async (signal: AbortSignal): Promise<Finding> => {
    if (off.llm !== undefined) return skipped(`It is off: ${off.llm}.`);
    const { reply, tookMs } = await ask(turnClient, { source: 'chat', question: { text: question } }, signal);
    return judgeAnswer(reply, options, tookMs);
  };
  const whole = async (signal: AbortSignal): Promise<Finding> => {
    const sound = speech.spoken();
    if (off.stt !== undefined || off.llm !== undefined || !sound)
      return skipped('Part of it is switched off.');
    return judgeTurn(await ask(turnClient, await asSpoken(sound), signal), options);
  };

  return [
    ...speech.steps,
    {
      name: 'llm',
      title: 'The language model',
      limitMs: times.llm * patience,
      needs: ['redis', 'workers'],
      advice: again('llm'),
      look: llm,
    },
    {
      name: 'turn',
      title: 'A spoken question',
      limitMs: times.whole * patience,
      needs: ['redis', 'workers', 'stt', 'tts', 'llm'],
      look: whole,
    },
  ];
}

type Asked = Pick<NewTurn, 'source' | 'question'>;

async function asSpoken(sound: Pcm): Promise<Asked> {
  return { source: 'voice', question: { sound: await resample(sound, speechRateHz) } };
}

/** Runs a turn like a person's, to its end. */
async function ask(turnClient: EngineStepsOptions['turnClient'], question: Asked, signal: AbortSignal) {
  let firstSoundMs: number | null = null;
  const begunAt = performance.now();
  const turn = await turnClient.startTurn({
    ...question,
    id: randomUUID(),
    conversation: null,
    room: null,
    isCheck: true,
    speaks: question.source === 'voice',
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
}
