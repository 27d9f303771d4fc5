import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '../errors.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import {
  type IdempotencyState,
  type IdempotencyStore,
  type IdempotentRequest,
  idempotencyRecordKey,
} from '../turn/idempotency-store.ts';
import type { Speech } from '../turn/playout.ts';
import { sentenceId } from '../turn/sentence-store.ts';
import type { Reply } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import type { NewTurn, PendingTurn } from './new-turn.ts';
import type { SynthesizeSentence } from './sentence-synthesis.ts';

/** How often a repeated request checks for the first answer. */
const pollIntervalMs = 100;
/** A live process reports the failure of its turn within this time. */
const settleMs = 2_000;
/** Allows for a dead turn whose replacement is dead, too. */
const maxTries = 3;

interface OnceStartOptions {
  idempotency: IdempotencyStore;
  turns: Pick<TurnStore, 'read' | 'readSentence'>;
  workers: Pick<WorkerRegistry, 'noneAlive'>;
  startTurn: (request: NewTurn) => Promise<PendingTurn>;
  synthesizeSentence: SynthesizeSentence;
}

/** A repeated request. `signal` only ends its own waiting. */
interface OnceAsked {
  request: IdempotentRequest;
  turnId: string;
  signal: AbortSignal;
}

/** A request that runs only once. */
export interface OnceTurn {
  /** The turn that answers it. */
  id: string;
  /** When it was first sent, as Unix time in ms. */
  askedAt: number;
  /** It is a repetition and gets the first answer. */
  isRepeated: boolean;
  /** Starts the turn, or waits for the earlier one. */
  start(request: Omit<NewTurn, 'id' | 'recordKey'>): Promise<Pick<PendingTurn, 'reply' | 'spoken'>>;
}

/**
 * Starts turns for requests that may be repeated. The first request starts a turn, which continues even if
 * its caller leaves. Repeated requests get its answer. If a turn failed before it did anything, the next
 * request starts a new one.
 */
export function createOnceStart(options: OnceStartOptions) {
  const { idempotency } = options;
  return async ({ request, turnId, signal }: OnceAsked): Promise<OnceTurn> => {
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const reserved = await idempotency.reserve(request, turnId);
      if (!reserved) throw tooMany();
      if (!reserved.isSame) throw new AppError('idempotency_key_reused');
      const { turnId: id, at: askedAt } = reserved;
      if (id === turnId) return { id, askedAt, isRepeated: false, start: starter(options, request, id) };
      const { state } = await idempotency.readState(request, id);
      if (state !== 'dead') {
        const start = repeater(options, { request, turnId: id, signal });
        return { id, askedAt, isRepeated: true, start };
      }
      await idempotency.settle(request, id, new AppError('worker_unavailable'));
    }
    throw new AppError('worker_unavailable');
  };
}

const tooMany = () =>
  new AppError(
    'overloaded',
    'This caller has used 1,000 Idempotency-Keys within ten minutes. Try again later, or without one.',
    { retryAfterS: 60 },
  );

function starter(
  { idempotency, startTurn }: OnceStartOptions,
  request: IdempotentRequest,
  id: string,
): OnceTurn['start'] {
  // Settle it before the caller gets the failure, because the caller may retry at once.
  const settled = async (thrown: unknown): Promise<never> => {
    await idempotency.settle(request, id, toAppError(thrown)).catch(() => undefined);
    throw thrown;
  };
  return async (newTurn) => {
    const turn = await startTurn({ ...newTurn, id, recordKey: idempotencyRecordKey(request) }).catch(settled);
    const reply = turn.reply.catch(settled);
    reply.catch(() => undefined);
    return { reply, spoken: turn.spoken };
  };
}

function repeater(options: OnceStartOptions, waiting: OnceAsked): OnceTurn['start'] {
  return async ({ speaks, onSpeech }) => {
    const answered = awaitAnswer(options, waiting);
    const reply = answered.then(({ reply }) => reply);
    const spoken = answered.then(async ({ turnId, reply }) => {
      if (!speaks) return reply.timings;
      const sentences = await speakAgain(options, { reply, turnId, signal: waiting.signal });
      for (const sentence of sentences) onSpeech?.(sentence);
      return reply.timings;
    });
    for (const promise of [reply, spoken]) promise.catch(() => undefined);
    return { reply, spoken };
  };
}

/** Waits for the answer of a turn that another request started. Its process may have died since. */
async function awaitAnswer(options: OnceStartOptions, { request, turnId: first, signal }: OnceAsked) {
  const { idempotency, workers } = options;
  let turnId = first;
  let failsAt = Number.POSITIVE_INFINITY;
  for (;;) {
    const known = await idempotency.readState(request, turnId);
    const reply = replyIn(known);
    if (reply) return { turnId, reply };
    // Other requests with this key have failed, and one has started a new turn.
    if (known.state === 'moved' && known.turnId !== null) turnId = known.turnId;
    const isOver = known.state === 'pending' && known.isOver;
    failsAt = isOver ? Math.min(failsAt, performance.now() + settleMs) : Number.POSITIVE_INFINITY;
    if (known.state === 'dead' || performance.now() > failsAt || workers.noneAlive()) {
      await settleLost(idempotency, request, turnId);
    }
    await delay(pollIntervalMs, undefined, { signal }).catch(() => {
      throw new AppError('turn_cancelled');
    });
  }
}

/** Throws the failure of a turn whose process is lost, unless it has answered meanwhile. */
async function settleLost(
  idempotency: IdempotencyStore,
  request: IdempotentRequest,
  turnId: string,
): Promise<void> {
  const error = new AppError('worker_unavailable');
  const ifActed = new AppError('outcome_unknown');
  const settled = await idempotency.settle(request, turnId, error, ifActed);
  if (settled !== 'answered') throw settled === 'kept' ? ifActed : error;
}

/** Returns the answer if it exists, or null. Throws AppError if none will come. */
function replyIn(known: IdempotencyState): Reply | null {
  if (known.state === 'failed') throw new AppError(known.failure.code, known.failure.message);
  if (known.state === 'gone') throw new AppError('answer_gone');
  if (known.state === 'moved' && known.turnId === null) throw new AppError('worker_unavailable');
  return known.state === 'answered' ? known.reply : null;
}

/** Synthesizes a reply again, because its sound is not kept. Returns fewer sentences if some were deleted. */
async function speakAgain(
  { turns, synthesizeSentence }: OnceStartOptions,
  { turnId, reply, signal }: { turnId: string; reply: Reply; signal: AbortSignal },
): Promise<Speech[]> {
  const sentences: Speech[] = [];
  const language = (await turns.read(turnId))?.language;
  for (let seq = 0; seq < reply.sentences; seq += 1) {
    const text = await turns.readSentence(sentenceId(turnId, seq));
    if (text === null) break;
    sentences.push({ seq, text, sound: await synthesizeSentence({ text, language, signal }) });
  }
  return sentences;
}
