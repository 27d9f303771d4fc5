import { withTimeLimit } from '../abort.ts';
import { AppError } from '../errors.ts';
import type { EngineName, EngineStatus, ServerFacts, ServerStatus } from '../status/engine-status.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import { createEngineClient, type EngineClient, EngineError } from './engine-client.ts';
import { watchEngine } from './engine-watch.ts';
import { createFirstWordTimes } from './first-word-times.ts';
import type { ModelCommand } from './model-commands.ts';
import { createServerPace } from './pace.ts';
import type { EngineCallEnd, Replica } from './replicas.ts';
import { type Described, unknownFacts } from './server-facts.ts';

/** The models in memory change slowly, and this query may delay a busy engine. */
const describeEveryMs = 10_000;
const describeMs = 10_000;

interface EnginePoolOptions<Client> {
  engine: EngineName;
  /** The addresses of its servers; empty when the engine is off. */
  urls: readonly string[];
  /** The Unix socket that its single server listens on. */
  socket?: string | undefined;
  files: ModelFilesWatch;
  connect: (http: EngineClient, baseUrl: string, about: ServerAbout) => Client;
  /** Proves with real work that a server can answer, and returns its model's name. */
  prove: (client: Client, signal: AbortSignal, wasSilent: boolean) => Promise<string>;
  /** A quick check of a server that was ready. */
  check: (client: Client, signal: AbortSignal) => Promise<string>;
  /** Runs a short fixed work, to compare servers: its duration in ms. Null: the client has noted its pace. */
  measure: (client: Client, signal: AbortSignal) => Promise<number | null>;
  /** Number of calls that a server runs at once. */
  places: (client: Client) => number;
  /** Distinguishes two models of a server that share a name. */
  fingerprint?: (client: Client) => string;
  /** A server's description of itself, for the admin. */
  describe?: (described: Described) => Promise<ServerFacts>;
  apiKey?: string | undefined;
  /** Makes a server load or unload a model, if it can. */
  command?: (described: Described, command: ModelCommand) => Promise<void>;
  /** The models or voices that a server offers. */
  options?: (client: Client) => readonly string[];
  /** The file of a server's model, if the server reports it. */
  file?: (client: Client) => string | undefined;
  /** Codes of the languages that a server's model knows; empty if unknown. */
  languages?: (client: Client) => readonly string[];
  /** Whether a server accepts pictures. */
  sees?: (client: Client) => boolean;
  /** Called when the state of one of the servers changes. */
  onChange: (engine: EngineName, status: EngineStatus) => void;
  /** Called after every call that does real work. */
  onCall?: (engine: EngineName, url: string, call: EngineCallEnd) => void;
}

const cannot: Record<ModelCommand['what'], string> = {
  load: 'This server has one model, and loads it itself. "make models" downloads another one.',
  unload:
    'This server keeps its model in memory as long as it runs. Restart it, or switch it off with its URL setting.',
};

interface ServerAbout {
  /** Another machine lends it, so it gets neither our key nor the name of our model. */
  isLent: boolean;
  /** The model that the other machine lends. Null: the server's only one. */
  lentModel: string | null;
  /** Records the speed of real work, in ms for the same amount of work. */
  onPace: (ms: number) => void;
}

export interface ServerAt {
  url: string;
  /** Its Unix socket. */
  socket?: string | undefined;
  /** The name of the other machine that lends it. */
  machine?: string;
  /** The model that this machine lends. Null: the server's only one. */
  model?: string | null;
}

interface ServerOptions<Client> extends Omit<EnginePoolOptions<Client>, 'urls' | 'socket'>, ServerAt {
  /** Monotonic time of the last call of any server of the engine. */
  usedAt: () => number;
  /** A call begins. */
  onUse: () => void;
  /** Whether another server could be preferred to this one. */
  hasOthers: () => boolean;
}

/** One server of an engine, watched from now on. */
function openServer<Client>(options: ServerOptions<Client>) {
  const { engine, url, files, connect, prove, check, fingerprint, onChange, onCall } = options;
  const { measure, places } = options;
  const isLent = options.machine !== undefined;
  const apiKey = isLent ? undefined : options.apiKey;
  const http = createEngineClient(engine, { socket: options.socket });
  const client: Client = connect(http, url, {
    ...{ isLent, lentModel: options.model ?? null },
    onPace: (ms) => pace.note(ms),
  });
  const pace = createServerPace({ measure: (signal) => measure(client, signal), usedAt: options.usedAt });
  let inHand = 0;
  let usualMs: number | null = null;
  const facts = createFacts((signal) => options.describe?.({ http, baseUrl: url, apiKey, signal }));
  const watch = watchEngine({
    engine,
    prove: async (signal, wasSilent) => {
      const model = await prove(client, signal, wasSilent);
      facts.refresh({ now: true });
      return model;
    },
    check: async (signal) => {
      const model = await check(client, signal);
      facts.refresh();
      if (inHand === 0 && options.hasOthers()) void pace.refresh(signal);
      return model;
    },
    ...(fingerprint && { fingerprint: () => fingerprint(client) }),
    isBusy: () => inHand > 0,
    files,
    onChange: (status) => onChange(engine, status),
  });
  const { status, suspect, distrust, stop } = watch;
  const replica: Replica<Client> = {
    ...{ url, machine: options.machine, client, status, suspect, distrust },
    silence: () => (watch.isSilent() ? new EngineError(engine, 'silent') : undefined),
    begins: () => {
      inHand += 1;
      options.onUse();
      return () => {
        inHand -= 1;
      };
    },
    called: (call) => {
      if (!call.error) usualMs = (usualMs ?? call.tookMs) + (call.tookMs - (usualMs ?? call.tookMs)) / 8;
      onCall?.(engine, url, call);
    },
    pace: () => pace.current,
    isFull: () => inHand >= places(client),
    firstWord: createFirstWordTimes(),
  };
  return {
    replica,
    facts,
    http,
    machine: options.machine,
    usualMs: () => usualMs,
    stop: () => {
      facts.stop();
      stop();
    },
  };
}

type Server<Client> = ReturnType<typeof openServer<Client>>;

/** All servers of one engine; the pool watches each from now on. */
export function createEnginePool<Client>(options: EnginePoolOptions<Client>) {
  const { urls, apiKey } = options;
  let usedAt = Number.NEGATIVE_INFINITY;
  const open = (at: ServerAt): Server<Client> =>
    openServer({
      ...{ ...options, ...at },
      usedAt: () => usedAt,
      onUse: () => {
        usedAt = performance.now();
      },
      hasOthers: () => servers.length > 1,
    });
  const servers = urls.map((url) => open({ url, socket: options.socket }));
  const replicas = servers.map(({ replica }) => replica);

  const isReady = ({ status }: Replica<Client>) => status().state === 'ready';
  /** The household's own servers, if one can answer. A lent one has other options, and may leave. */
  const ready = () => {
    const all = servers.filter(({ replica }) => isReady(replica));
    const own = all.filter(({ machine }) => machine === undefined);
    return (own.length > 0 ? own : all).map(({ replica: { client } }) => client);
  };
  /** The names common to all servers that can answer, since any of them may get the call. */
  const common = ([first = [], ...others]: (readonly string[])[]): string[] =>
    first.filter((name) => others.every((names) => names.includes(name)));
  const languages = (): string[] =>
    common(
      ready().flatMap((client) => [options.languages?.(client) ?? []].filter(({ length }) => length > 0)),
    );

  return {
    /** They change with the machines that lend servers. */
    replicas: replicas as readonly Replica<Client>[],
    /** Adds a server that another machine lends. The returned function removes it; running calls may end. */
    borrow(at: Required<ServerAt>): () => void {
      const server = open(at);
      servers.push(server);
      replicas.push(server.replica);
      return () => {
        servers.splice(servers.indexOf(server), 1);
        replicas.splice(replicas.indexOf(server.replica), 1);
        server.stop();
      };
    },
    /** The engine is ready as soon as one of its servers is; undefined when it has none. */
    status(): EngineStatus | undefined {
      const statuses = replicas.map(({ status }) => status());
      const shown = statuses.find(({ state }) => state === 'ready') ?? statuses[0];
      if (shown === undefined) return undefined;
      const files = new Set(ready().map((client) => options.file?.(client)));
      const [file] = files.size === 1 ? files : [];
      return {
        ...shown,
        ...(file !== undefined && { file }),
        ...(options.options && { options: common(ready().map(options.options)) }),
        ...(languages().length > 0 && { languages: languages() }),
        ...(options.sees && { sees: ready().length > 0 && ready().every(options.sees) }),
      };
    },
    /** The state of each server separately. */
    servers: (): ServerStatus[] =>
      servers.map(({ replica: { url, status, pace }, facts, machine, usualMs }) => ({
        ...{ ...status(), ...facts.current, url, paceMs: pace?.() ?? null, usualMs: usualMs() },
        ...(machine !== undefined && { machine }),
      })),
    /** Throws AppError if no server of the engine supports the command, and EngineError if one fails. */
    async command(wanted: ModelCommand, signal: AbortSignal): Promise<void> {
      const able = servers.filter(
        ({ facts, machine }) => machine === undefined && facts.current.can[wanted.what],
      );
      if (able.length === 0) throw new AppError('not_possible', cannot[wanted.what]);
      for (const { replica, http } of able) {
        await options.command?.({ http, baseUrl: replica.url, apiKey, signal }, wanted);
        replica.suspect();
      }
    },
    stop(): void {
      for (const { stop } of servers) stop();
    },
  };
}

/** One server's description of itself. It loads now and refreshes in the background. */
function createFacts(describe: (signal: AbortSignal) => Promise<ServerFacts> | undefined) {
  const stopped = new AbortController();
  let current = unknownFacts;
  let isAsking = false;
  let askedAt = Number.NEGATIVE_INFINITY;

  const ask = async () => {
    isAsking = true;
    askedAt = performance.now();
    const signal = withTimeLimit(stopped.signal, describeMs);
    // A failed query keeps the last answer until the next one succeeds.
    current = (await Promise.resolve(describe(signal)).catch(() => undefined)) ?? current;
    isAsking = false;
  };

  return {
    get current(): ServerFacts {
      return current;
    },
    refresh({ now = false }: { now?: boolean } = {}): void {
      if (isAsking || (!now && performance.now() - askedAt < describeEveryMs)) return;
      void ask();
    },
    stop: () => stopped.abort(),
  };
}
