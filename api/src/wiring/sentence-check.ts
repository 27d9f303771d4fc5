import { once } from 'node:events';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import { createConcurrencyLimit, LimitReachedError } from '../audio/concurrency-limit.ts';
import type { Config } from '../config.ts';
import { AppError } from '../errors.ts';
import type { SentenceDraft } from '../settings/own-sentences.ts';

const maxWaiting = 3;
/** A person who fixes a file saves it again soon, and a new thread takes five times as long. */
const maxIdleMs = 5 * 60_000;
/** English, the largest language, needs 140 MB. */
const maxThreadMb = 384;
/** V8's default young generation takes twice the memory of the thread. */
const maxNurseryMb = 16;

const threadFile = new URL(`./sentence-check-thread${extname(import.meta.filename)}`, import.meta.url);

/**
 * Checks files of own sentences in a thread. It builds all answers of a language, which would stall turns.
 */
export function createSentenceCheck(config: Config, file = threadFile) {
  const oneByOne = createConcurrencyLimit({ maxAtOnce: 1, maxWaiting });
  let kept: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(idle);
    void kept?.terminate();
    kept = null;
  };
  const faultOf = async (draft: SentenceDraft, signal: AbortSignal): Promise<string> => {
    clearTimeout(idle);
    kept ??= startThread(file, config);
    try {
      const fault = await askThread(kept, draft, signal);
      idle = setTimeout(end, maxIdleMs).unref();
      return fault;
    } catch (error) {
      end();
      throw error;
    }
  };
  return {
    /** The fault and its place in the file. '': Hearth can start with it. Throws AppError. */
    async check(draft: SentenceDraft, signal: AbortSignal): Promise<string> {
      try {
        return await oneByOne(signal, () => faultOf(draft, signal));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof LimitReachedError) throw new AppError('overloaded', undefined, { cause: error });
        throw new AppError('internal', 'Hearth failed to check the sentences. Nothing has been changed.', {
          cause: error,
        });
      }
    },
    stop: end,
  };
}

function startThread(file: URL, config: Config): Worker {
  const thread = new Worker(file, {
    workerData: config,
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: maxThreadMb, maxYoungGenerationSizeMb: maxNurseryMb },
  });
  // Without a listener, an error would end the process. The running check reports it.
  thread.on('error', () => undefined);
  thread.unref();
  return thread;
}

async function askThread(thread: Worker, draft: SentenceDraft, signal: AbortSignal): Promise<string> {
  const over = new AbortController();
  const options = { signal: AbortSignal.any([signal, over.signal]) };
  const ended = once(thread, 'exit', options).then(() => {
    throw new Error('The thread ended without a result.');
  });
  try {
    thread.postMessage(draft);
    const [fault] = await Promise.race([once(thread, 'message', options), ended]);
    return z.string().parse(fault);
  } finally {
    over.abort();
  }
}
