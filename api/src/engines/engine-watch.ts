import { setTimeout as delay } from 'node:timers/promises';
import { withTimeLimit } from '../abort.ts';
import type { EngineName, EngineStatus } from '../status/engine-status.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import { EngineError, type EngineFailure } from './engine-client.ts';

/** What the engines are called when people are told about them. */
const titles: Record<EngineName, string> = {
  llm: 'The language model',
  stt: 'The speech recognition',
  tts: 'The voice',
};

const silentFailures: readonly EngineFailure[] = ['timeout', 'hung'];

export interface WatchTimes {
  /** Between two looks at an engine that is not ready. */
  retryMs: number;
  /** Between two looks at one that is. */
  checkMs: number;
  /** Longest time that one look may take; the first answer of a cold engine is slow. */
  lookMs: number;
  /** An engine that cannot be reached counts as starting for so long, then as failed. */
  startMs: number;
}

export const watchTimes: WatchTimes = { retryMs: 1_000, checkMs: 2_000, lookMs: 120_000, startMs: 60_000 };

interface EngineWatchOptions {
  engine: EngineName;
  /** Proves by real work that the engine can answer, warms it up, and returns the name of its model. Throws EngineError. */
  prove: (signal: AbortSignal) => Promise<string>;
  /** A quick look at an engine that was ready; returns the name of the model that it has now. Throws EngineError. */
  check: (signal: AbortSignal) => Promise<string>;
  /**
   * Tells a server from itself with another model, where the name does not: a file may be replaced by another one, and of the models that a server
   * has another may be asked for.
   */
  fingerprint?: () => string;
  files: ModelFilesWatch;
  onChange: (status: EngineStatus) => void;
  times?: WatchTimes;
}

export type EngineWatch = ReturnType<typeof watchEngine>;

/** Keeps finding out what one engine can do, from now until it is stopped. */
export function watchEngine({
  engine,
  prove,
  check,
  fingerprint,
  files,
  onChange,
  times = watchTimes,
}: EngineWatchOptions) {
  const stopped = new AbortController();
  const begunAt = Date.now();
  let wake = new AbortController();
  let everReady = false;
  /** How often it kept silent where it should have answered. */
  let silences = 0;
  let proved = '';
  let status: EngineStatus = {
    state: 'starting',
    reason: `${titles[engine]} is starting.`,
    since: begunAt,
    model: null,
  };

  const become = (next: Omit<EngineStatus, 'since'>) => {
    if (next.state === status.state && next.reason === status.reason && next.model === status.model) return;
    status = { ...next, since: next.state === status.state ? status.since : Date.now() };
    onChange(status);
  };

  const look = async () => {
    const signal = withTimeLimit(stopped.signal, times.lookMs);
    try {
      if (status.state === 'ready') changedTo(await check(signal));
      else await proveNow(signal);
    } catch (error) {
      if (stopped.signal.aborted) return;
      become({ ...diagnosis(error), model: status.model });
    }
  };

  const proveNow = async (signal: AbortSignal) => {
    const before = silences;
    const model = await prove(signal);
    // What it said before it fell silent says nothing of what it can do now.
    if (silences > before) return;
    proved = fingerprintOf(model);
    everReady = true;
    become({ state: 'ready', reason: null, model });
  };

  const fingerprintOf = (model: string): string => fingerprint?.() ?? model;

  /**
   * It was started anew with another model between two looks: that one has to prove itself, at once. Another of the models that it has all the
   * time is only asked for by its name.
   */
  const changedTo = (model: string) => {
    if (status.state !== 'ready') return;
    if (fingerprintOf(model) === proved) return become({ state: 'ready', reason: null, model });
    become({ state: 'loading', reason: `${titles[engine]} has another model, which is tried now.`, model });
    wake.abort();
  };

  const diagnosis = (error: unknown): Pick<EngineStatus, 'state' | 'reason'> => {
    const title = titles[engine];
    const failure = error instanceof EngineError ? error.failure : 'timeout';
    if (failure === 'downloading') return { state: 'downloading', reason: `${title} is fetching its model.` };
    if (failure === 'loading') return { state: 'loading', reason: `${title} is being loaded.` };
    if (failure === 'unreachable') return unreachable(title);
    if (silentFailures.includes(failure)) return { state: 'failed', reason: `${title} does not answer.` };
    if (failure === 'busy')
      return { state: 'loading', reason: `${title} is too busy to say whether it is ready.` };
    const detail =
      failure === 'refused' && error instanceof EngineError && !error.status ? `: ${error.detail}` : '';
    return { state: 'failed', reason: `${title} answers, but not as it should${detail}.` };
  };

  /** Nobody listens at the address: its model may still be on the way, it may be starting, or it is down. */
  const unreachable = (title: string): Pick<EngineStatus, 'state' | 'reason'> => {
    const file = files.current.progress?.models.find(({ kind }) => kind === engine);
    if (file?.state === 'failed') {
      return {
        state: 'failed',
        reason: `The model could not be downloaded: ${file.reason ?? 'no reason given'}`,
      };
    }
    if (file && file.state !== 'ready') {
      const percent = Math.floor((100 * file.bytesDone) / Math.max(1, file.bytesTotal));
      return { state: 'downloading', reason: `${title} is being downloaded: ${percent} % of ${file.id}.` };
    }
    const isStarting = !everReady && Date.now() - begunAt < times.startMs;
    return isStarting
      ? { state: 'starting', reason: `${title} is starting.` }
      : { state: 'failed', reason: `${title} cannot be reached. Is its server running?` };
  };

  const run = async () => {
    while (!stopped.signal.aborted) {
      // Before the look: whoever suspects it meanwhile may know something that the look could not see.
      wake = new AbortController();
      await look();
      const pauseMs = status.state === 'ready' ? times.checkMs : times.retryMs;
      await pause(pauseMs, AbortSignal.any([stopped.signal, wake.signal]));
    }
  };
  void run();

  return {
    status: () => status,
    /** A call to this engine just failed: look again now. */
    suspect: () => wake.abort(),
    /** It kept silent where it should have answered: until it has done real work again it does not count as ready. */
    distrust: () => {
      silences += 1;
      become({ ...diagnosis(new EngineError(engine, 'timeout')), model: status.model });
      wake.abort();
    },
    stop: () => stopped.abort(),
  };
}

/** Ends early, without an error, when the signal fires. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
