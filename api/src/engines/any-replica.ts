import { startAwakeLimit } from '../awake-limit.ts';
import { EngineError, keptSilent } from './engine-client.ts';
import { type Replica, replicasToTry, silenceOf } from './replicas.ts';

/** Failures of one server that another server may not have. */
const ofTheServer = ['unreachable', 'downloading', 'loading', 'busy', 'timeout', 'hung'];

/** One try of a call, at one server. */
export interface Attempt {
  /** Fires when the call is cancelled, or when another server has answered first. */
  signal: AbortSignal;
  /** Call it before you use the first word of an answer. Throws if another server has answered first. */
  claim: () => void;
}

interface AnyReplicaOptions<Client> {
  /** Part of the answer is already out, so no other server may start over. */
  isBegun?: () => boolean;
  /** Whether the server's model can do this: it knows the language, it sees pictures. */
  isAble?: (client: Client) => boolean;
  /** Cancels the call. */
  signal?: AbortSignal;
  /**
   * Whether to ask the second server as well when the first word is late. The call must then claim its first
   * word.
   */
  mayHedge?: (first: Client, second: Client) => boolean;
}

type Outcome<Client, T> = { replica: Replica<Client> } & ({ answer: T } | { error: unknown });

/**
 * Calls one server, and a second if the first fails or is late. If no server is known to be able, any of them
 * says why. Throws the last EngineError.
 */
export async function onAnyReplica<Client, T>(
  all: readonly Replica<Client>[],
  key: string,
  call: (replica: Replica<Client>, attempt: Attempt) => Promise<T>,
  options: AnyReplicaOptions<Client> = {},
): Promise<T> {
  const { isBegun = () => false, isAble = () => true } = options;
  const able = all.filter(({ client }) => isAble(client));
  const replicas = able.length > 0 ? able : all;
  const waiting = replicasToTry(replicas, key);
  const race = createRace(call, options);
  let failed: unknown = silenceOf(replicas) ?? new Error('an engine without servers was called');
  const startNext = (): boolean => {
    const next = waiting.shift();
    if (next) race.start(next);
    return next !== undefined;
  };
  while (!race.isIdle() || startNext()) {
    const outcome = await race.next(waiting[0]);
    if (outcome === 'late') startNext();
    else if ('answer' in outcome) return outcome.answer;
    else if (outcome.error === outrun) waiting.push(outcome.replica);
    else {
      failed = outcome.error;
      if (mayTryAnother(failed) && !isBegun()) continue;
      race.cancel();
      break;
    }
  }
  throw failed;
}

/** The reason for ending a call after another server has answered first. */
const outrun = new Error('another server answered first');

/** Runs a call at several servers. The first one to claim its answer ends the others. */
function createRace<Client, T>(
  call: (replica: Replica<Client>, attempt: Attempt) => Promise<T>,
  { signal, mayHedge }: Pick<AnyReplicaOptions<Client>, 'signal' | 'mayHedge'>,
) {
  const open = new Map<Replica<Client>, { control: AbortController; outcome: Promise<Outcome<Client, T>> }>();
  let first: { replica: Replica<Client>; begunAt: number } | undefined;
  let isClaimed = false;

  const run = async (replica: Replica<Client>, control: AbortController): Promise<Outcome<Client, T>> => {
    const begunAt = performance.now();
    const isEnded = () => control.signal.reason === outrun;
    const tookMs = () => performance.now() - begunAt;
    let isFirst = false;
    const claim = () => {
      control.signal.throwIfAborted();
      if (isFirst) return;
      isFirst = true;
      isClaimed = true;
      if (mayHedge) replica.firstWord?.note(tookMs());
      for (const [other, { control: theirs }] of open) if (other !== replica) theirs.abort(outrun);
    };
    const ends = replica.begins?.();
    try {
      const attempt = { signal: AbortSignal.any([control.signal, ...(signal ? [signal] : [])]), claim };
      const answer = await call(replica, attempt);
      claim();
      replica.called?.({ tookMs: tookMs() });
      return { replica, answer };
    } catch (error) {
      if (isEnded()) {
        // Its usual time is at least this, so that a server that is always late gets more time.
        replica.firstWord?.note(tookMs());
        replica.suspect();
        return { replica, error: outrun };
      }
      if (error instanceof EngineError) {
        replica.called?.({ tookMs: tookMs(), error });
        doubt(replica, error);
      }
      return { replica, error };
    } finally {
      ends?.();
    }
  };

  /** Milliseconds until the second server is asked as well. Null: it is not. */
  const hedgeInMs = (second: Replica<Client> | undefined): number | null => {
    if (!first || !second || isClaimed || open.size !== 1 || second.status().state !== 'ready') return null;
    if (!mayHedge?.(first.replica.client, second.client)) return null;
    const lateMs = first.replica.firstWord?.lateMs ?? null;
    return lateMs === null ? null : Math.max(0, lateMs - (performance.now() - first.begunAt));
  };

  return {
    isIdle: () => open.size === 0,
    start(replica: Replica<Client>): void {
      first ??= { replica, begunAt: performance.now() };
      const control = new AbortController();
      open.set(replica, { control, outcome: run(replica, control) });
    },
    /** Waits for the next outcome. `late`: the first word is late, and the second server has a free place. */
    async next(second: Replica<Client> | undefined): Promise<Outcome<Client, T> | 'late'> {
      const late = Promise.withResolvers<'late'>();
      const inMs = hedgeInMs(second);
      const onLate = () => {
        if (!isClaimed && !second?.isFull?.()) late.resolve('late');
      };
      const limit = inMs === null ? undefined : startAwakeLimit(inMs, onLate);
      const outcomes = [...open.values()].map(({ outcome }) => outcome);
      const result = await Promise.race([...outcomes, late.promise]).finally(() => limit?.stop());
      if (result !== 'late') open.delete(result.replica);
      return result;
    },
    cancel(): void {
      for (const { control } of open.values()) control.abort(outrun);
    },
  };
}

function mayTryAnother(error: unknown): boolean {
  return error instanceof EngineError && ofTheServer.includes(error.failure);
}

/** Later calls must not wait as long for a silent server. */
function doubt({ suspect, distrust }: Replica<unknown>, error: EngineError): void {
  if (distrust && keptSilent(error)) distrust();
  else suspect();
}
