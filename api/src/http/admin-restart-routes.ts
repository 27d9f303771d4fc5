import { AppError } from '../errors.ts';
import type { Restarts } from '../restart/restarts.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { ProcessBeat, ProcessRegistry } from '../status/process-registry.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

type RunningProcess = components['schemas']['RunningProcess'];

interface RestartRoutesOptions {
  registry: ProcessRegistry;
  restarts: Restarts;
  /** This process. */
  own: () => ProcessBeat;
  /** Whether an engine can unload its model and load it again on request. */
  canReload: (engine: EngineName) => boolean;
  /** Reloads the model on all servers of the engine. Takes as long as loading. */
  reload: (engine: EngineName) => Promise<void>;
  onFault: (engine: EngineName, error: unknown) => void;
}

const kindsOf = { api: ['api'], workers: ['worker'], all: ['worker', 'api'] } as const;

/** Restarts processes on the household's request. */
export function adminRestartRoutes(options: RestartRoutesOptions): Pick<Handlers, 'restart' | 'getRestart'> {
  const { registry, restarts, own, reload, canReload, onFault } = options;

  const beginReload = (engine: EngineName): string => {
    if (!canReload(engine)) throw new AppError('not_possible', howToRestart(engine));
    // Don't wait for the reload: GET /admin/servers reports its progress.
    reload(engine).catch((error) => onFault(engine, error));
    return `The model server ${engine} reloads its model. GET /admin/servers/${engine} shows the progress.`;
  };

  return {
    async restart({ body, reply }) {
      const { what } = body;
      const isEngine = what === 'llm' || what === 'stt' || what === 'tts';
      if (isEngine) {
        const message = beginReload(what);
        return reply.code(202).send({ restarting: [what], message });
      }
      const kinds = kindsOf[what];
      const alive = registry.alive();
      const restarting = kinds.flatMap((kind) => alive.filter(({ process }) => process === kind).map(nameOf));
      await restarts.ask(kinds);
      return reply.code(202).send({ restarting, message: messageOf(what) });
    },

    getRestart() {
      const processesOf = (kind: ProcessBeat['process']) =>
        registry
          .alive()
          .filter(({ process }) => process === kind)
          .map(runningProcess);
      return { api: runningProcess(own()), apis: processesOf('api'), workers: processesOf('worker') };
    },
  };
}

function runningProcess({ instance, startedAt, draining, busy }: ProcessBeat): RunningProcess {
  return { instance, started_at: new Date(startedAt).toISOString(), draining, busy };
}

function nameOf({ process, instance }: ProcessBeat): string {
  return `${process} ${instance}`;
}

function messageOf(what: 'api' | 'workers' | 'all'): string {
  const does = {
    api: 'The api accepts no new requests, finishes its work and starts',
    workers: 'The workers accept no new jobs, finish their work and start',
    all: 'The api and the workers accept no new work, finish their current work and start',
  }[what];
  const oneByOne = what === 'api' ? '' : ' Workers restart one after another.';
  return `${does} again within a minute or so.${oneByOne} GET /admin/restart shows when each was started.`;
}

function howToRestart(engine: EngineName): string {
  return (
    `The model server ${engine} cannot be restarted from here: Hearth does not control other programs. ` +
    `In containers: docker compose restart ${engine}. Under make run: end its process, and make run starts it again.`
  );
}
