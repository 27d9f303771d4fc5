import type { EngineName, EngineStatus } from '../status/engine-status.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import { createEngineClient, type EngineClient } from './engine-client.ts';
import { watchEngine } from './engine-watch.ts';
import type { Replica } from './replicas.ts';

interface EnginePoolOptions<Client> {
  engine: EngineName;
  /** The addresses of its servers; none when the engine is off. */
  urls: readonly string[];
  files: ModelFilesWatch;
  connect: (http: EngineClient, baseUrl: string) => Client;
  /** Proves by real work that a server can answer, and returns its model's name. */
  prove: (client: Client, signal: AbortSignal) => Promise<string>;
  /** A quick look at one that could. */
  check: (client: Client, signal: AbortSignal) => Promise<string>;
  /** Called when what one of the servers can do has changed. */
  onChange: (engine: EngineName, status: EngineStatus) => void;
}

/** All servers of one engine, each watched from now on. */
export function createEnginePool<Client>(options: EnginePoolOptions<Client>) {
  const { engine, urls, files, connect, prove, check, onChange } = options;
  const http = createEngineClient(engine);
  const servers = urls.map((url) => {
    const client = connect(http, url);
    const watch = watchEngine({
      engine,
      prove: (signal) => prove(client, signal),
      check: (signal) => check(client, signal),
      files,
      onChange: (status) => onChange(engine, status),
    });
    const { status, suspect, distrust, stop } = watch;
    const replica: Replica<Client> = { url, client, status, suspect, distrust };
    return { replica, stop };
  });
  const replicas = servers.map(({ replica }) => replica);

  return {
    replicas,
    /** The engine can answer as soon as one of its servers can; undefined when it has none. */
    status(): EngineStatus | undefined {
      const statuses = replicas.map(({ status }) => status());
      return statuses.find(({ state }) => state === 'ready') ?? statuses[0];
    },
    stop(): void {
      for (const { stop } of servers) stop();
    },
  };
}
