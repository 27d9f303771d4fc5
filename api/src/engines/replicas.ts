import { createHash } from 'node:crypto';
import type { EngineStatus } from '../status/engine-status.ts';
import { EngineError } from './engine-client.ts';

/** One server of an engine and what is known of it now. */
export interface Replica<Client> {
  url: string;
  client: Client;
  status: () => EngineStatus;
  /** To be called when a call failed: its state is doubtful. */
  suspect: () => void;
  /** To be called when it kept silent: it is not ready before it has proved that it is. */
  distrust?: () => void;
  /** To be told of every call: how long it took, and how it failed. */
  called?: (call: EngineCallEnd) => void;
}

export interface EngineCallEnd {
  tookMs: number;
  /** Undefined: it did what it was asked for. */
  error?: EngineError;
}

/** A server that died costs one more try, not a walk through all of them. */
const mostTries = 2;

/**
 * The servers to try, ready ones first. The same key comes to the same server while that is ready: what it remembers of the last call is
 * worth something.
 */
export function replicasToTry<Client>(replicas: readonly Replica<Client>[], key: string): Replica<Client>[] {
  if (replicas.length < 2) return [...replicas];
  const start = createHash('sha1').update(key).digest().readUInt32BE() % replicas.length;
  const rotated = [...replicas.slice(start), ...replicas.slice(0, start)];
  const isReady = ({ status }: Replica<Client>) => status().state === 'ready';
  return [...rotated.filter(isReady), ...rotated.filter((replica) => !isReady(replica))].slice(0, mostTries);
}

/** Failures that say something about one server and nothing about the request: another one may do better. */
const ofTheServer = ['unreachable', 'downloading', 'loading', 'busy', 'hung'];

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
  let failed: unknown = new Error('an engine without servers was called');
  for (const replica of replicasToTry(replicas, key)) {
    const begunAt = performance.now();
    try {
      const answer = await call(replica);
      replica.called?.({ tookMs: performance.now() - begunAt });
      return answer;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      replica.called?.({ tookMs: performance.now() - begunAt, error });
      replica.suspect();
      failed = error;
      if (!ofTheServer.includes(error.failure) || isBegun()) break;
    }
  }
  throw failed;
}
