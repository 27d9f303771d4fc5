import { AggregatorRegistry, Registry } from 'prom-client';
import { type EngineName, engineNames, engineStates } from '../status/engine-status.ts';
import type { ProcessBeat, ProcessRegistry } from '../status/process-registry.ts';
import type { WorkerRegistry } from '../status/worker-registry.ts';
import type { TurnLog, TurnTimes } from '../turn/turn-log.ts';
import { stepOf } from '../turn/turn-times.ts';

/** Bounds of the histograms in ms. Each is also a bound of the stored buckets. */
const bounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000] as const;

type Labels = Record<string, string | number>;
interface Value {
  value: number;
  labels: Labels;
  metricName?: string;
}
interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  aggregator: 'sum';
  values: Value[];
}

interface MetricsOptions {
  turns: Pick<TurnLog, 'all'>;
  /** Waiting and running jobs of each queue. */
  queueDepths: () => Promise<{ queue: string; state: string; count: number }[]>;
  workers: Pick<WorkerRegistry, 'engine'>;
  /** Disabled engines are left out. */
  isOff: (engine: EngineName) => boolean;
  processes: Pick<ProcessRegistry, 'alive'>;
  version: string;
}

export type Metrics = ReturnType<typeof createMetrics>;

/**
 * Metrics of the whole household in Prometheus format. Counters are in Redis and each process publishes its
 * measurements. So every api process returns the same values.
 */
export function createMetrics(options: MetricsOptions) {
  return async (): Promise<{ type: string; text: string }> => {
    const [{ turns, times }, depths] = await Promise.all([options.turns.all(), options.queueDepths()]);
    const alive = options.processes.alive();
    const all: Metric[] = [
      counter(
        'hearth_turns_total',
        'Turns by source, responder and outcome.',
        turns.map(({ count, ...labels }) => ({ value: count, labels })),
      ),
      histogram(times),
      gauge(
        'hearth_queue_jobs',
        'Jobs in the queues.',
        depths.map(({ count, ...labels }) => ({ value: count, labels })),
      ),
      gauge('hearth_engine_state', 'The state that an engine is in has the value 1.', engineValues(options)),
      gauge('hearth_satellites', 'Satellites that are connected.', perProcess(alive, 'api', 'satellites')),
      gauge(
        'hearth_process_resident_bytes',
        'Memory of each process.',
        perProcess(alive, null, 'residentBytes'),
      ),
      gauge(
        'hearth_process_busy',
        'Turns or jobs that a process is working on.',
        perProcess(alive, null, 'busy'),
      ),
      gauge(
        'hearth_process_start_time_seconds',
        'Start time of each process.',
        alive.map((beat) => ({ value: beat.startedAt / 1_000, labels: labelsOf(beat) })),
      ),
      gauge('hearth_info', 'The running version.', [{ value: 1, labels: { version: options.version } }]),
    ];
    const registry = AggregatorRegistry.aggregate([all]);
    return { type: Registry.PROMETHEUS_CONTENT_TYPE, text: await registry.metrics() };
  };
}

function counter(name: string, help: string, values: Value[]): Metric {
  return { name, help, type: 'counter', aggregator: 'sum', values };
}

function gauge(name: string, help: string, values: Value[]): Metric {
  return { name, help, type: 'gauge', aggregator: 'sum', values };
}

function histogram(times: readonly TurnTimes[]): Metric {
  const name = 'hearth_turn_part_seconds';
  const values = times.flatMap(({ source, part, steps, sumMs }) => {
    const labels = { source, part };
    const upTo = (bound: number) => {
      const last = stepOf(bound);
      return [...steps].reduce((sum, [step, count]) => sum + (step <= last ? count : 0), 0);
    };
    const count = [...steps.values()].reduce((sum, each) => sum + each, 0);
    const buckets = bounds.map((bound) => ({ le: String(bound / 1_000), value: upTo(bound) }));
    return [
      ...[...buckets, { le: '+Inf', value: count }].map(({ le, value }) => ({
        value,
        labels: { le, ...labels },
        metricName: `${name}_bucket`,
      })),
      { value: sumMs / 1_000, labels, metricName: `${name}_sum` },
      { value: count, labels, metricName: `${name}_count` },
    ];
  });
  const help = 'Durations of the parts of answered turns.';
  return { name, help, type: 'histogram', aggregator: 'sum', values };
}

function engineValues({ workers, isOff }: MetricsOptions): Value[] {
  return engineNames
    .filter((engine) => !isOff(engine))
    .flatMap((engine) => {
      const now = workers.engine(engine)?.state ?? 'starting';
      return engineStates.map((state) => ({ value: state === now ? 1 : 0, labels: { engine, state } }));
    });
}

type Measured = 'satellites' | 'residentBytes' | 'busy';

function perProcess(
  alive: readonly ProcessBeat[],
  kind: ProcessBeat['process'] | null,
  what: Measured,
): Value[] {
  return alive
    .filter(({ process }) => kind === null || process === kind)
    .map((beat) => ({ value: beat[what], labels: labelsOf(beat) }));
}

function labelsOf({ process, instance }: ProcessBeat): Labels {
  return { process, instance };
}
