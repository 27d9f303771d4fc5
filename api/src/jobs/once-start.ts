import { setTimeout as delay } from 'node:timers/promises';
import type { Pcm } from '../audio/pcm.ts';
import { AppError, toAppError } from '../errors.ts';
import type { WorkerRoll } from '../status/worker-roll.ts';
import type { Speech } from '../turn/playout.ts';
import { type ClaimState, claimKey, type RequestClaim, type RequestClaims } from '../turn/request-claims.ts';
import { sentenceId } from '../turn/sentence-store.ts';
import type { Reply } from '../turn/turn.ts';
import type { TurnStore } from '../turn/turn-store.ts';
import type { NewTurn, PendingTurn } from './new-turn.ts';

/** How often a repeated request looks whether the first has been answered. */
const lookEveryMs = 100;
/** Whoever waits for a turn that failed says why within this, if it lives. */
const settleMs = 2_000;
/** A turn that died may be found once more, if that of another repeated request has died too. */
const maxTries = 3;

interface OnceStartOptions {
  claims: RequestClaims;
  turns: Pick<TurnStore, 'readSentence'>;
  workers: Pick<WorkerRoll, 'noneAlive'>;
  startTurn: (asked: NewTurn) => Promise<PendingTurn>;
  say: (sentence: { text: string; signal: AbortSignal }) => Promise<Pcm | null>;
}

/** Who asks once more: `signal` ends only this one's waiting. */
interface OnceAsked {
  request: RequestClaim;
  turnId: string;
  signal: AbortSignal;
}

/** A request that is done once. */
export interface OnceTurn {
  /** The turn that answers it. */
  id: string;
  /** When it was first asked, as Unix time in ms. */
  askedAt: number;
  /** It was asked before: the answer is that of the first. */
  isRepeated: boolean;
  /** Starts the turn, or waits for the one that was started before. */
  start(asked: Omit<NewTurn, 'id' | 'claim'>): Promise<Pick<PendingTurn, 'reply' | 'spoken'>>;
}

/**
 * Starts a turn for a request that may come again. The first one begins a turn, which goes on whether or not its caller stays; the others get its
 * answer. A turn that failed before it could do anything is begun anew by the next one.
 */
export function createOnceStart(options: OnceStartOptions) {
  const { claims } = options;
  return async ({ request, turnId, signal }: OnceAsked): Promise<OnceTurn> => {
    for (let attempt = 1; attempt <= maxTries; attempt += 1) {
      const claimed = await claims.claim(request, turnId);
      if (!claimed) throw tooMany();
      if (!claimed.isSame) throw new AppError('idempotency_key_reused');
      const { turnId: id, at: askedAt } = claimed;
      if (id === turnId) return { id, askedAt, isRepeated: false, start: starter(options, request, id) };
      const { state } = await claims.look(request, id);
      if (state !== 'dead') {
        const start = repeater(options, { request, turnId: id, signal });
        return { id, askedAt, isRepeated: true, start };
      }
      await claims.settle(request, id, new AppError('worker_unavailable'));
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
  { claims, startTurn }: OnceStartOptions,
  request: RequestClaim,
  id: string,
): OnceTurn['start'] {
  // Before the caller is told: the next request may come at once.
  const settled = async (thrown: unknown): Promise<never> => {
    await claims.settle(request, id, toAppError(thrown)).catch(() => undefined);
    throw thrown;
  };
  return async (asked) => {
    const turn = await startTurn({ ...asked, id, claim: claimKey(request) }).catch(settled);
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

/** Waits for the answer of a turn that somebody else has started, in this process or another, which may have died since. */
async function awaitAnswer(options: OnceStartOptions, { request, turnId: first, signal }: OnceAsked) {
  const { claims, workers } = options;
  let turnId = first;
  let failsAt = Number.POSITIVE_INFINITY;
  for (;;) {
    const known = await claims.look(request, turnId);
    const reply = replyIn(known);
    if (reply) return { turnId, reply };
    // Others with the same key have failed meanwhile, and one has begun anew.
    if (known.state === 'moved' && known.turnId !== null) turnId = known.turnId;
    const isOver = known.state === 'pending' && known.isOver;
    failsAt = isOver ? Math.min(failsAt, performance.now() + settleMs) : Number.POSITIVE_INFINITY;
    if (known.state === 'dead' || performance.now() > failsAt || workers.noneAlive()) {
      const error = new AppError('worker_unavailable');
      if ((await claims.settle(request, turnId, error)) !== 'answered') throw error;
    }
    await delay(lookEveryMs, undefined, { signal }).catch(() => {
      throw new AppError('turn_cancelled');
    });
  }
}

/** The answer, if it is there. Throws AppError if none will come. */
function replyIn(known: ClaimState): Reply | null {
  if (known.state === 'failed') throw new AppError(known.failure.code, known.failure.message);
  if (known.state === 'gone') throw new AppError('answer_gone');
  if (known.state === 'moved' && known.turnId === null) throw new AppError('worker_unavailable');
  return known.state === 'answered' ? known.reply : null;
}

/** Speaks a reply once more: its sound is kept nowhere. Fewer sentences than it has: not all of them are there any more. */
async function speakAgain(
  { turns, say }: OnceStartOptions,
  { turnId, reply, signal }: { turnId: string; reply: Reply; signal: AbortSignal },
): Promise<Speech[]> {
  const sentences: Speech[] = [];
  for (let seq = 0; seq < reply.sentences; seq += 1) {
    const text = await turns.readSentence(sentenceId(turnId, seq));
    if (text === null) break;
    sentences.push({ seq, text, sound: await say({ text, signal }) });
  }
  return sentences;
}
