import { setTimeout as delay } from 'node:timers/promises';
import { withTimeLimit } from '../abort.ts';
import type { EngineName, EngineStatus } from '../status/engine-status.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import { EngineError, keptSilent } from './engine-client.ts';
import { type Diagnosis, diagnose, silent, starting, triesAnotherModel } from './engine-diagnosis.ts';

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
  /**
   * Proves by real work that the engine can answer, warms it up, and returns the name of its model. `wasSilent`: it kept silent where it should have
   * answered. Throws EngineError.
   */
  prove: (signal: AbortSignal, wasSilent: boolean) => Promise<string>;
  /** A quick look at an engine that was ready; returns the name of the model that it has now. Throws EngineError. */
  check: (signal: AbortSignal) => Promise<string>;
  /**
   * Tells a server from itself with another model, where the name does not: a file may be replaced by another one, and of the models that a server
   * has another may be asked for.
   */
  fingerprint?: () => string;
  /** Calls for real work are in hand. They have limits of their own, and a server that works may be slow to answer a look. */
  isBusy?: () => boolean;
  files: ModelFilesWatch;
  onChange: (status: EngineStatus) => void;
  times?: WatchTimes;
}

export type EngineWatch = ReturnType<typeof watchEngine>;

/** Keeps finding out what one engine can do, from now until it is stopped. */
export function watchEngine(options: EngineWatchOptions) {
  const { engine, prove, check, fingerprint, isBusy, files, onChange, times = watchTimes } = options;
  const stopped = new AbortController();
  const [startedAt, begunAt] = [Date.now(), performance.now()];
  let wake = new AbortController();
  let everReady = false;
  /** How often it kept silent where it should have answered. */
  let silences = 0;
  /** It has not answered since. */
  let isSilent = false;
  let proved = '';
  let status: EngineStatus = { ...starting(engine), since: startedAt, model: null };

  const become = (diagnosis: Diagnosis, model = status.model) => {
    const { state, reason, since } = status;
    if (diagnosis.state === state && diagnosis.reason === reason && model === status.model) return;
    status = { ...diagnosis, model, since: diagnosis.state === state ? since : Date.now() };
    onChange(status);
  };
  const fingerprintOf = (model: string): string => fingerprint?.() ?? model;

  const look = async () => {
    const signal = withTimeLimit(stopped.signal, times.lookMs);
    try {
      if (status.state === 'ready') changedTo(await check(signal));
      else await proveNow(signal);
    } catch (error) {
      if (stopped.signal.aborted) return;
      // A look that ran out of time may have been answered all the while, only slowly.
      if (error instanceof EngineError) isSilent = keptSilent(error) && (isSilent || !isBusy?.());
      const file = files.current.progress?.models.find(({ kind }) => kind === engine);
      const mayStillStart = !everReady && performance.now() - begunAt < times.startMs;
      become(diagnose(engine, error, { file, mayStillStart }));
    }
  };

  const proveNow = async (signal: AbortSignal) => {
    const before = silences;
    const model = await prove(signal, isSilent);
    // If it fell silent meanwhile, its earlier answer is no sign of what it can do now.
    if (silences > before) return;
    proved = fingerprintOf(model);
    isSilent = false;
    everReady = true;
    become(ready, model);
  };

  /**
   * It was started anew with another model between two looks: that one has to prove itself, at once. Another of the models that it has all the
   * time is only asked for by its name.
   */
  const changedTo = (model: string) => {
    if (status.state !== 'ready') return;
    if (fingerprintOf(model) === proved) return become(ready, model);
    become(triesAnotherModel(engine), model);
    wake.abort();
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
    /** It has kept silent and not answered since: whoever asks it now would wait in vain. */
    isSilent: () => isSilent,
    /** A call to this engine just failed: look again now. */
    suspect: () => wake.abort(),
    /** It kept silent where it should have answered: until it has done real work again it does not count as ready. */
    distrust: () => {
      silences += 1;
      isSilent = true;
      become(silent(engine));
      wake.abort();
    },
    stop: () => stopped.abort(),
  };
}

const ready: Diagnosis = { state: 'ready', reason: null };

/** Ends early, without an error, when the signal fires. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
