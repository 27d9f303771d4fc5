import type { EngineName, EngineStatus } from '../status/engine-status.ts';
import type { ModelFiles } from '../status/model-files.ts';
import { EngineError } from './engine-client.ts';

export type Diagnosis = Pick<EngineStatus, 'state' | 'reason'>;

/** The known facts about an engine that could not prove it is ready. */
interface Circumstances {
  /** Progress of its model's download; undefined: none known. */
  file?: NonNullable<ModelFiles['progress']>['models'][number] | undefined;
  /** It was never ready, and its start time is not over yet. */
  mayStillStart: boolean;
}

/** Engine names in messages to people. */
const titles: Record<EngineName, string> = {
  llm: 'The language model',
  stt: 'The speech recognition',
  tts: 'The voice',
};

export const starting = (engine: EngineName): Diagnosis => ({
  state: 'starting',
  reason: `${titles[engine]} is starting.`,
});

export const triesAnotherModel = (engine: EngineName): Diagnosis => ({
  state: 'loading',
  reason: `${titles[engine]} has another model, which is tried now.`,
});

export const silent = (engine: EngineName): Diagnosis => ({
  state: 'failed',
  reason: `${titles[engine]} does not answer.`,
});

/**
 * Why an engine is not ready, from the error of the last check. Anything but an EngineError means a timeout.
 */
export function diagnose(engine: EngineName, error: unknown, circumstances: Circumstances): Diagnosis {
  if (!(error instanceof EngineError)) return silent(engine);
  const title = titles[engine];
  switch (error.failure) {
    case 'unreachable':
      return unreachable(engine, circumstances);
    case 'downloading':
      return { state: 'downloading', reason: `${title} is fetching its model.` };
    case 'loading':
      return { state: 'loading', reason: `${title} is being loaded.` };
    case 'busy':
      return { state: 'loading', reason: `${title} is too busy to say whether it is ready.` };
    case 'timeout':
    case 'hung':
      return silent(engine);
    default:
      return { state: 'failed', reason: `${title} answers, but not as it should${ownWords(error)}.` };
  }
}

/** A refusal without an HTTP status comes from our client, whose text is safe to show. */
function ownWords({ failure, status, detail }: EngineError): string {
  return failure === 'refused' && !status ? `: ${detail}` : '';
}

/**
 * No program listens at the address: the model is still downloading, the engine is starting, or it is down.
 */
function unreachable(engine: EngineName, { file, mayStillStart }: Circumstances): Diagnosis {
  if (file?.state === 'failed') {
    return {
      state: 'failed',
      reason: `The model could not be downloaded: ${file.reason ?? 'no reason given'}`,
    };
  }
  if (file && file.state !== 'ready') {
    const percent = Math.floor((100 * file.bytesDone) / Math.max(1, file.bytesTotal));
    return {
      state: 'downloading',
      reason: `${titles[engine]} is being downloaded: ${percent} % of ${file.id}.`,
    };
  }
  if (mayStillStart) return starting(engine);
  return { state: 'failed', reason: `${titles[engine]} cannot be reached. Is its server running?` };
}
