import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import type { CheckLog, CheckResult, StepResult } from '../status/check-log.ts';
import { runSteps } from './run-steps.ts';
import type { Step } from './step.ts';

/** Keeps two processes from checking at once. */
export interface CheckLock {
  /** The id of the check that has it, ours when we have got it. Throws when Redis is away. */
  take: (id: string) => Promise<string>;
  /** The id of the check that has it; null for none. */
  holder: () => Promise<string | null>;
  /** To be called every few seconds by who has it: what is not kept comes free. */
  keep: (id: string) => Promise<void>;
  give: (id: string) => Promise<void>;
}

const keepLockEveryMs = 3_000;

interface CheckOptions {
  steps: () => readonly Step[];
  kept: Pick<CheckLog, 'keep' | 'all'>;
  lock: CheckLock;
  log: Logger;
  /** How often it is looked whether another process's check has ended. */
  lookEveryMs?: number;
  /** No check takes longer: another process that holds one for longer has died. */
  maxMs?: number;
}

export type Check = ReturnType<typeof createCheck>;
export type OnStep = (step: StepResult) => void;

interface Running {
  done: StepResult[];
  listeners: Set<OnStep>;
  result: Promise<CheckResult>;
}

/** The check that really checks. One at a time, in all processes: whoever asks meanwhile joins the one that runs. */
export function createCheck({ steps, kept, lock, log, lookEveryMs = 500, maxMs = 300_000 }: CheckOptions) {
  const stopped = new AbortController();
  let running: Running | undefined;

  const runHere = async (id: string, tell: OnStep): Promise<CheckResult> => {
    const before = await kept.all().catch(() => []);
    const held = setInterval(() => lock.keep(id).catch(() => undefined), keepLockEveryMs);
    try {
      const result = await runSteps({ id, steps: steps(), before, onStep: tell, signal: stopped.signal });
      const { ok, tookMs, summary } = result;
      log[ok ? 'info' : 'warn']({ check: id, ok, ms: tookMs, summary }, 'checked');
      await kept.keep(result).catch((error) => log.warn({ err: error }, 'a check was not kept'));
      return result;
    } finally {
      clearInterval(held);
      await lock.give(id).catch(() => undefined); // it comes free by itself
    }
  };

  /** Another process checks: its result is ours. Null when it never comes. */
  const fromElsewhere = async (id: string, tell: OnStep): Promise<CheckResult | null> => {
    const until = performance.now() + maxMs;
    let isGone = false;
    while (performance.now() < until && !stopped.signal.aborted) {
      const found = (await kept.all()).find((each) => each.id === id);
      for (const step of found?.steps ?? []) tell(step);
      if (found || isGone) return found ?? null;
      // It keeps its result before it gives the lock back, so one more look tells all.
      isGone = (await lock.holder()) !== id;
      if (!isGone) await delay(lookEveryMs);
    }
    return null;
  };

  const begin = async (tell: OnStep): Promise<CheckResult> => {
    const id = randomUUID();
    // Without Redis nobody else can be asked, and the check is wanted all the more.
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
    /** Checks, or joins the check that runs. Steps are told as they end; those that have ended already, at once. */
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
