import { setTimeout as delay } from 'node:timers/promises';
import { withTimeLimit } from '../abort.ts';
import type { EngineName, EngineStatus } from '../status/engine-status.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import { EngineError, keptSilent } from './engine-client.ts';
import { type Diagnosis, diagnose, silent, starting, triesAnotherModel } from './engine-diagnosis.ts';

export interface WatchTimes {
  /** Pause between two checks of an engine that is not ready. */
  retryMs: number;
  /** Pause between two checks of a ready engine. */
  checkMs: number;
  /** Maximum time for one check; the first answer of a cold engine is slow. */
  lookMs: number;
  /** An unreachable engine counts as starting for this long, then as failed. */
  startMs: number;
}

const watchTimes: WatchTimes = { retryMs: 1_000, checkMs: 2_000, lookMs: 120_000, startMs: 60_000 };

interface EngineWatchOptions {
  engine: EngineName;
  /**
   * Proves with real work that the engine can answer, warms it up, and returns its model's name. `wasSilent`:
   * it stayed silent when it should have answered. Throws EngineError.
   */
  prove: (signal: AbortSignal, wasSilent: boolean) => Promise<string>;
  /** A quick check of an engine that was ready; returns its current model's name. Throws EngineError. */
  check: (signal: AbortSignal) => Promise<string>;
  /**
   * Detects another model behind the same name. Someone may replace the file, or we may ask for another model
   * of the server.
   */
  fingerprint?: () => string;
  /** Real calls are running. They have their own limits, and a busy server may answer a check slowly. */
  isBusy?: () => boolean;
  files: ModelFilesWatch;
  onChange: (status: EngineStatus) => void;
  times?: WatchTimes;
}

export type EngineWatch = ReturnType<typeof watchEngine>;

/** Tracks the state of one engine until it is stopped. */
export function watchEngine(options: EngineWatchOptions) {
  const { engine, prove, check, fingerprint, isBusy, files, onChange, times = watchTimes } = options;
  const stopped = new AbortController();
  const [startedAt, begunAt] = [Date.now(), performance.now()];
  let wake = new AbortController();
  let everReady = false;
  /** How often the engine stayed silent when it should have answered. */
  let silences = 0;
  /** The engine has not answered since. */
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
      // The engine may have answered slowly during a check that timed out.
      if (error instanceof EngineError) isSilent = keptSilent(error) && (isSilent || !isBusy?.());
      const file = files.current.progress?.models.find(({ kind }) => kind === engine);
      const mayStillStart = !everReady && performance.now() - begunAt < times.startMs;
      become(diagnose(engine, error, { file, mayStillStart }));
    }
  };

  const proveNow = async (signal: AbortSignal) => {
    const before = silences;
    const model = await prove(signal, isSilent);
    // It fell silent during the check, so its earlier answer is out of date.
    if (silences > before) return;
    proved = fingerprintOf(model);
    isSilent = false;
    everReady = true;
    become(ready, model);
  };

  /**
   * The engine restarted with another model between two checks, so that model must prove itself now. A name
   * change alone means that we picked another model the engine already has.
   */
  const changedTo = (model: string) => {
    if (status.state !== 'ready') return;
    if (fingerprintOf(model) === proved) return become(ready, model);
    become(triesAnotherModel(engine), model);
    wake.abort();
  };

  const run = async () => {
    while (!stopped.signal.aborted) {
      // Set before the check: a caller that reports a failure meanwhile may know more than the check saw.
      wake = new AbortController();
      await look();
      const pauseMs = status.state === 'ready' ? times.checkMs : times.retryMs;
      await pause(pauseMs, AbortSignal.any([stopped.signal, wake.signal]));
    }
  };
  void run();

  return {
    status: () => status,
    /** It has stayed silent since: a call now would wait in vain. */
    isSilent: () => isSilent,
    /** A call to this engine just failed: check again now. */
    suspect: () => wake.abort(),
    /** It stayed silent when it should have answered. It is not ready until it has done real work again. */
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
