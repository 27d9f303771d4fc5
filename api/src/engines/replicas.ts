import { createHash } from 'node:crypto';
import type { EngineStatus } from '../status/engine-status.ts';
import { EngineError, keptSilent } from './engine-client.ts';

/** One server of an engine and what is known of it now. */
export interface Replica<Client> {
  url: string;
  client: Client;
  status: () => EngineStatus;
  /** To be called when a call failed: its state is doubtful. */
  suspect: () => void;
  /** To be called when it kept silent: it is not ready before it has proved that it is. */
  distrust?: () => void;
  /** Why it is not asked: it has kept silent, and is tried aside until it answers. Undefined: it may be asked. */
  silence?: () => EngineError | undefined;
  /** To be told that a call begins; the function that comes back, that it is over. */
  begins?: () => () => void;
  /** To be told of every call: how long it took, and how it failed. */
  called?: (call: EngineCallEnd) => void;
}

export interface EngineCallEnd {
  tookMs: number;
  /** Undefined: it did what it was asked for. */
  error?: EngineError;
}

/** A server that died costs one more try, not a walk through all of them. */
const maxTries = 2;

/**
 * The servers to try, ready ones first, without those that would only be waited for in vain. The same key comes to the same server while that is
 * ready: what it remembers of the last call is worth something.
 */
export function replicasToTry<Client>(replicas: readonly Replica<Client>[], key: string): Replica<Client>[] {
  const start = createHash('sha1').update(key).digest().readUInt32BE() % Math.max(1, replicas.length);
  const rotated = [...replicas.slice(start), ...replicas.slice(0, start)];
  const able = rotated.filter(({ silence }) => !silence?.());
  const isReady = ({ status }: Replica<Client>) => status().state === 'ready';
  return [...able.filter(isReady), ...able.filter((replica) => !isReady(replica))].slice(0, maxTries);
}

/** Why an engine is not asked now: all of its servers have kept silent. Undefined: one of them may be asked. */
export function silenceOf(replicas: readonly Replica<unknown>[]): EngineError | undefined {
  const silences = replicas.map(({ silence }) => silence?.());
  return silences.every((silence) => silence !== undefined) ? silences[0] : undefined;
}

/** Failures that say something about one server and nothing about the request: another one may do better. */
const ofTheServer = ['unreachable', 'downloading', 'loading', 'busy', 'timeout', 'hung'];

/**
 * Calls one server, and another when the first cannot take the call. `isBegun`: something of the answer has got out, and nobody may begin
 * another. Throws the last EngineError.
 */
export async function onAnyReplica<Client, T>(
  replicas: readonly Replica<Client>[],
  key: string,
  call: (replica: Replica<Client>) => Promise<T>,
  isBegun: () => boolean = () => false,
): Promise<T> {
  let failed: unknown = silenceOf(replicas) ?? new Error('an engine without servers was called');
  for (const replica of replicasToTry(replicas, key)) {
    const begunAt = performance.now();
    const ends = replica.begins?.();
    try {
      const answer = await call(replica);
      replica.called?.({ tookMs: performance.now() - begunAt });
      return answer;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      replica.called?.({ tookMs: performance.now() - begunAt, error });
      doubt(replica, error);
      failed = error;
      if (!ofTheServer.includes(error.failure) || isBegun()) break;
    } finally {
      ends?.();
    }
  }
  throw failed;
}

/** The next calls must not wait as long for a silent server again. */
function doubt({ suspect, distrust }: Replica<unknown>, error: EngineError): void {
  if (distrust && keptSilent(error)) distrust();
  else suspect();
}
