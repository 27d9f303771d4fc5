import { createHash } from 'node:crypto';
import type { EngineStatus } from '../status/engine-status.ts';
import type { EngineError } from './engine-client.ts';
import type { FirstWordTimes } from './first-word-times.ts';

/** One server of an engine and its known state. */
export interface Replica<Client> {
  url: string;
  /** The other machine that lends it. Undefined: it belongs to the household. */
  machine?: string | undefined;
  client: Client;
  status: () => EngineStatus;
  /** Call it after a failed call: the server's state is doubtful. */
  suspect: () => void;
  /** Call it after a silent call: the server must prove itself before it is ready again. */
  distrust?: () => void;
  /**
   * Why this server gets no calls: it stayed silent, and must first answer a check. Undefined: it may get
   * calls.
   */
  silence?: () => EngineError | undefined;
  /** Marks the start of a call; the returned function marks the end. */
  begins?: () => () => void;
  /** Called after every call with its duration and error. */
  called?: (call: EngineCallEnd) => void;
  /** Milliseconds for the same amount of work. Null: not measured yet. */
  pace?: () => number | null;
  /** All of its places are taken, so another call would wait there. */
  isFull?: () => boolean;
  /** How long its first word usually takes. */
  firstWord?: FirstWordTimes;
}

export interface EngineCallEnd {
  tookMs: number;
  /** Undefined: the call succeeded. */
  error?: EngineError;
}

/** After a server died one retry is enough; the client does not try all servers. */
const maxTries = 2;

/**
 * Servers within this factor of the fastest count as equally fast. Between them, the cache of a conversation
 * saves more than the difference.
 */
const alike = 1.5;

/**
 * The servers to try, without silent ones: the fastest ready ones first, full ones after the others. The same
 * key maps to the same one of equally fast servers, because its cache is useful.
 */
export function replicasToTry<Client>(replicas: readonly Replica<Client>[], key: string): Replica<Client>[] {
  const able = rankedFor(key, replicas).filter(({ silence }) => !silence?.());
  const ready = able.filter(({ status }) => status().state === 'ready');
  const others = able.filter((replica) => !ready.includes(replica));
  return [...fastestFirst(ready), ...others].slice(0, maxTries);
}

/**
 * Rendezvous hashing: every server ranks by a hash of the key and its address. A server that comes or goes
 * moves only the keys that it gets or had.
 */
function rankedFor<Client>(key: string, replicas: readonly Replica<Client>[]): Replica<Client>[] {
  const rankOf = ({ url }: Replica<Client>) => createHash('sha1').update(`${url} ${key}`).digest('hex');
  return replicas
    .map((replica) => ({ replica, rank: rankOf(replica) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .map(({ replica }) => replica);
}

function fastestFirst<Client>(ready: readonly Replica<Client>[]): Replica<Client>[] {
  const paceOf = ({ pace }: Replica<Client>) => pace?.() ?? 0;
  const best = Math.min(...ready.map((replica) => paceOf(replica) || Number.POSITIVE_INFINITY));
  /** A server that was not measured yet counts as fast, so that its first answer measures it. */
  const lagOf = (replica: Replica<Client>) => (paceOf(replica) <= alike * best ? 0 : paceOf(replica));
  const queueOf = ({ isFull }: Replica<Client>) => (isFull?.() ? 1 : 0);
  return ready.toSorted((one, other) => queueOf(one) - queueOf(other) || lagOf(one) - lagOf(other));
}

/** Why an engine gets no calls: all of its servers are silent. Undefined: one may be called. */
export function silenceOf(replicas: readonly Replica<unknown>[]): EngineError | undefined {
  const silences = replicas.map(({ silence }) => silence?.());
  return silences.every((silence) => silence !== undefined) ? silences[0] : undefined;
}

/** Which server did an engine's part of a turn. */
export function ranOnOf<Engine extends string>(
  engine: Engine,
  { machine, status }: Pick<Replica<unknown>, 'machine' | 'status'>,
): { engine: Engine; machine: string | null; model: string | null } {
  return { engine, machine: machine ?? null, model: status().model };
}
