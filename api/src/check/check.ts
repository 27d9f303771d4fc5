import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { CheckLog, CheckResult, StepResult } from '../status/check-log.ts';
import { runSteps } from './run-steps.ts';
import type { Step } from './step.ts';

/** A lock against concurrent checks. */
export interface CheckLock {
  /** Takes the lock, or returns the id of the check that holds it. Throws if Redis is unavailable. */
  take: (id: string) => Promise<string>;
  /** The id of the check that holds the lock. Null: none. */
  holder: () => Promise<string | null>;
  /** The holder renews the lock every few seconds. Without renewal it expires. */
  keep: (id: string) => Promise<void>;
  give: (id: string) => Promise<void>;
}

const keepLockEveryMs = 3_000;
/** How often to poll for the end of another process's check. */
const pollEveryMs = 500;
/** Maximum duration of a check. A longer one in another process is dead. */
const maxMs = 300_000;

interface CheckOptions {
  steps: () => readonly Step[];
  kept: Pick<CheckLog, 'keep' | 'all'>;
  lock: CheckLock;
  log: Logger;
}

export type Check = ReturnType<typeof createCheck>;
type OnStep = (step: StepResult) => void;

interface Running {
  done: StepResult[];
  listeners: Set<OnStep>;
  result: Promise<CheckResult>;
}

/** Runs a check, one at a time across all processes. Concurrent callers join the running one. */
export function createCheck({ steps, kept, lock, log }: CheckOptions) {
  const stopped = new AbortController();
  let running: Running | undefined;

  const runHere = async (id: string, tell: OnStep): Promise<CheckResult> => {
    const before = await kept.all().catch(() => []);
    const held = setInterval(() => lock.keep(id).catch(() => undefined), keepLockEveryMs);
    try {
      const result = await runSteps({ id, steps: steps(), before, onStep: tell, signal: stopped.signal });
      const { ok, tookMs, summary } = result;
      log[ok ? 'info' : 'warn']({ check: id, ok, ms: tookMs, summary }, 'checked');
      await kept.keep(result).catch((error) => log.warn({ err: error }, 'failed to store a check'));
      return result;
    } finally {
      clearInterval(held);
      await lock.give(id).catch(() => undefined); // it expires
    }
  };

  /** Waits for the result of another process's check. Null: none arrived. */
  const fromElsewhere = async (id: string, tell: OnStep): Promise<CheckResult | null> => {
    const until = performance.now() + maxMs;
    let isGone = false;
    while (performance.now() < until && !stopped.signal.aborted) {
      const found = (await kept.all()).find((each) => each.id === id);
      for (const step of found?.steps ?? []) tell(step);
      if (found || isGone) return found ?? null;
      // It stores its result before it releases the lock, so one more read is enough.
      isGone = (await lock.holder()) !== id;
      if (!isGone) await delay(pollEveryMs);
    }
    return null;
  };

  const begin = async (tell: OnStep): Promise<CheckResult> => {
    const id = randomUUID();
    // Without Redis the lock is out of reach, but a check is needed even more.
    const holder = await lock.take(id).catch(() => id);
    const elsewhere = holder === id ? null : await fromElsewhere(holder, tell).catch(() => null);
    return elsewhere ?? runHere(id, tell);
  };

  const start = (): Running => {
    const done: StepResult[] = [];
    const listeners = new Set<OnStep>();
    const tell: OnStep = (step) => {
      done.push(step);
      for (const listener of listeners) listener(step);
    };
    const result = begin(tell).finally(() => {
      running = undefined;
    });
    return { done, listeners, result };
  };

  return {
    /** Runs a check, or joins the running one. Reports each step as it ends, and earlier ones at once. */
    async run(onStep: OnStep = () => undefined): Promise<CheckResult> {
      running ??= start();
      const joined = running;
      for (const step of joined.done) onStep(step);
      joined.listeners.add(onStep);
      return joined.result.finally(() => joined.listeners.delete(onStep));
    },
    stop: () => stopped.abort(),
  };
}
