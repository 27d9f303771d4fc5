import { withTimeLimit } from '../abort.ts';
import { AppError } from '../errors.ts';
import type { EngineName, EngineStatus, ServerFacts, ServerStatus } from '../status/engine-status.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import { createEngineClient, type EngineClient, EngineError } from './engine-client.ts';
import { watchEngine } from './engine-watch.ts';
import type { ModelCommand } from './model-commands.ts';
import type { EngineCallEnd, Replica } from './replicas.ts';
import { type Described, unknownFacts } from './server-facts.ts';

/** The models in a server's memory change slowly, and asking for them may cost a busy engine a moment. */
const describeEveryMs = 10_000;
const describeMs = 10_000;

interface EnginePoolOptions<Client> {
  engine: EngineName;
  /** The addresses of its servers; none when the engine is off. */
  urls: readonly string[];
  /** The Unix socket on which its one server listens. */
  socket?: string | undefined;
  files: ModelFilesWatch;
  connect: (http: EngineClient, baseUrl: string) => Client;
  /** Proves by real work that a server can answer, and returns its model's name. */
  prove: (client: Client, signal: AbortSignal, wasSilent: boolean) => Promise<string>;
  /** A quick look at one that could. */
  check: (client: Client, signal: AbortSignal) => Promise<string>;
  /** Tells one model of a server from another of the same name. */
  fingerprint?: (client: Client) => string;
  /** A server's description of itself, for whoever looks after it. */
  describe?: (described: Described) => Promise<ServerFacts>;
  apiKey?: string | undefined;
  /** Has a server take a model into memory or out of it, where it can. */
  command?: (described: Described, command: ModelCommand) => Promise<void>;
  /** The models or voices that a server can be asked for. */
  options?: (client: Client) => readonly string[];
  /** The file of a server's model, where it tells it. */
  file?: (client: Client) => string | undefined;
  /** Whether a server can be shown pictures. */
  sees?: (client: Client) => boolean;
  /** Called when what one of the servers can do has changed. */
  onChange: (engine: EngineName, status: EngineStatus) => void;
  /** Told of every call for real work. */
  onCall?: (engine: EngineName, url: string, call: EngineCallEnd) => void;
}

const cannot: Record<ModelCommand['what'], string> = {
  load: 'This server has one model, which it loads by itself. "make models" brings another one.',
  unload:
    'This server keeps its model in memory as long as it runs. Restart it, or switch it off with its URL setting.',
};

/** All servers of one engine, each watched from now on. */
export function createEnginePool<Client>(options: EnginePoolOptions<Client>) {
  const { engine, urls, files, connect, prove, check, fingerprint, apiKey, onChange, onCall } = options;
  const http = createEngineClient(engine, { socket: options.socket });
  const servers = urls.map((url) => {
    const client = connect(http, url);
    let inHand = 0;
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
        return model;
      },
      ...(fingerprint && { fingerprint: () => fingerprint(client) }),
      isBusy: () => inHand > 0,
      files,
      onChange: (status) => onChange(engine, status),
    });
    const { status, suspect, distrust, stop } = watch;
    const called = (call: EngineCallEnd) => onCall?.(engine, url, call);
    const begins = () => {
      inHand += 1;
      return () => {
        inHand -= 1;
      };
    };
    const silence = () => (watch.isSilent() ? new EngineError(engine, 'silent') : undefined);
    const replica: Replica<Client> = { url, client, status, suspect, distrust, silence, begins, called };
    return {
      replica,
      facts,
      stop: () => {
        facts.stop();
        stop();
      },
    };
  });
  const replicas = servers.map(({ replica }) => replica);

  const ready = () => replicas.filter(({ status }) => status().state === 'ready').map(({ client }) => client);
  /** The options that every server that can answer has: any of them may be asked. */
  const offered = (of: (client: Client) => readonly string[]): string[] => {
    const [first = [], ...others] = ready().map(of);
    return first.filter((name) => others.every((names) => names.includes(name)));
  };

  return {
    replicas,
    /** The engine can answer as soon as one of its servers can; undefined when it has none. */
    status(): EngineStatus | undefined {
      const statuses = replicas.map(({ status }) => status());
      const told = statuses.find(({ state }) => state === 'ready') ?? statuses[0];
      if (told === undefined) return undefined;
      const files = new Set(ready().map((client) => options.file?.(client)));
      const [file] = files.size === 1 ? files : [];
      return {
        ...told,
        ...(file !== undefined && { file }),
        ...(options.options && { options: offered(options.options) }),
        ...(options.sees && { sees: ready().length > 0 && ready().every(options.sees) }),
      };
    },
    /** Each of its servers by itself. */
    servers: (): ServerStatus[] =>
      servers.map(({ replica: { url, status }, facts }) => ({ ...status(), ...facts.current, url })),
    /** Throws AppError where no server of the engine can do that, EngineError where one fails. */
    async command(wanted: ModelCommand, signal: AbortSignal): Promise<void> {
      const able = servers.filter(({ facts }) => facts.current.can[wanted.what]);
      if (able.length === 0) throw new AppError('not_possible', cannot[wanted.what]);
      for (const { replica } of able) {
        await options.command?.({ http, baseUrl: replica.url, apiKey, signal }, wanted);
        replica.suspect();
      }
    },
    stop(): void {
      for (const { stop } of servers) stop();
    },
  };
}

/** One server's description of itself, asked for now and then beside everything else. */
function createFacts(describe: (signal: AbortSignal) => Promise<ServerFacts> | undefined) {
  const stopped = new AbortController();
  let current = unknownFacts;
  let isAsking = false;
  let askedAt = Number.NEGATIVE_INFINITY;

  const ask = async () => {
    isAsking = true;
    askedAt = performance.now();
    const signal = withTimeLimit(stopped.signal, describeMs);
    // A server that cannot tell now may tell next time; until then its last answer is as good.
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
