import type { Redis } from 'ioredis';
import type { Config } from '../config.ts';
import { callFailure } from '../engines/call-failure.ts';
import { createEnginePool, type ServerAt } from '../engines/engine-pool.ts';
import { createLlmClient, type LlmClient } from '../engines/llm-client.ts';
import type { LlmFacts } from '../engines/llm-facts.ts';
import { commandLlm, commandStt } from '../engines/model-commands.ts';
import type { EngineCallEnd, Replica } from '../engines/replicas.ts';
import { describeLlm, describeStt } from '../engines/server-facts.ts';
import { createSttClient } from '../engines/stt-client.ts';
import { createTtsClient } from '../engines/tts-client.ts';
import { durationOf, measureLlm, warmUpStt, warmUpTts } from '../engines/warm-up.ts';
import type { Queues } from '../jobs/queues.ts';
import type { Logger } from '../log.ts';
import { onEveryConnection } from '../redis/every-connection.ts';
import type { PromptHead } from '../respond/model/prompt.ts';
import { warmUpLlm } from '../respond/model/warm-up.ts';
import type { Settings } from '../settings/settings.ts';
import { type CallLog, createCallLog } from '../status/call-log.ts';
import type { EngineName, EngineStatus, Heartbeat } from '../status/engine-status.ts';
import type { ModelFilesWatch } from '../status/model-files.ts';
import { socketOf, urlsOf } from './engine-addresses.ts';

/**
 * Parallel calls per server. More would slow down all of them. While one sound is decoded, the next is being
 * read.
 */
const atOnce = { stt: 2, tts: 2 };

interface EngineWiring {
  config: Config;
  log: Logger;
  redis: Redis;
  queues: Queues;
  files: ModelFilesWatch;
  settings: Settings;
  /** Builds the beginning of every prompt, from the current settings. */
  headOf: (facts: LlmFacts) => PromptHead;
  /** The question of a model's health check. */
  hello: string;
  answerIdleMs: number | undefined;
  onError: (error: Error) => void;
}

/** The engines of a worker with all replicas. */
export function wireEngines(options: EngineWiring) {
  const { config, log, redis, queues, files, settings, headOf, hello, answerIdleMs, onError } = options;

  const onChange = (engine: EngineName, { state, reason, model }: EngineStatus) => {
    log.info({ engine, state, reason, model }, 'engine');
    shareCapacity().catch(onError);
  };
  const onCall = noteCalls(createCallLog({ redis }));
  const llm = createEnginePool({
    engine: 'llm',
    urls: urlsOf(config.llm),
    socket: socketOf(config.llm),
    files,
    onChange,
    onCall,
    describe: describeLlm,
    command: commandLlm,
    apiKey: config.llmApiKey,
    fingerprint: ({ options, facts }) => `${options[0]} ${facts?.fingerprint}`,
    measure: measureLlm,
    places: ({ facts }) => facts?.slots ?? 1,
    connect: (http, baseUrl, { isLent, lentModel, onPace }) =>
      createLlmClient({
        http,
        baseUrl,
        onPace,
        ...(!isLent && { apiKey: config.llmApiKey }),
        model: () => (isLent ? lentModel : settings.current().llm_model),
        answerIdleMs,
      }),
    options: ({ options }) => options,
    file: ({ facts }) => facts?.file,
    sees: ({ facts }) => facts?.sees ?? false,
    prove: (client: LlmClient, signal: AbortSignal, wasSilent: boolean) =>
      warmUpLlm(client, signal, { headOf, hello, wasSilent }),
    check: async (client, signal) => (await client.discover(signal)).model,
  });
  const stt = createEnginePool({
    engine: 'stt',
    urls: urlsOf(config.stt),
    socket: socketOf(config.stt),
    files,
    onChange,
    onCall,
    describe: describeStt,
    command: commandStt,
    measure: (client, signal) => durationOf(() => warmUpStt(client, signal)),
    places: () => atOnce.stt,
    connect: (http, baseUrl, { isLent, lentModel }) =>
      createSttClient({ http, baseUrl, model: () => (isLent ? lentModel : settings.current().stt_model) }),
    fingerprint: ({ options }) => options[0] ?? '',
    options: ({ options }) => options,
    languages: ({ languages }) => languages,
    prove: warmUpStt,
    check: (client, signal) => client.findModel(signal),
  });
  const tts = createEnginePool({
    engine: 'tts',
    urls: urlsOf(config.tts),
    socket: socketOf(config.tts),
    files,
    onChange,
    onCall,
    measure: (client, signal) => durationOf(() => warmUpTts(client, signal)),
    places: () => atOnce.tts,
    connect: (http, baseUrl) => createTtsClient({ http, baseUrl, voice: () => settings.current().voice }),
    fingerprint: ({ own }) => own,
    options: ({ options }) => options,
    prove: warmUpTts,
    check: (client, signal) => client.findVoice(signal),
  });

  /** Limits the load of every engine across all workers. */
  const shareCapacity = async (): Promise<void> => {
    const slots = able(llm.replicas).reduce((sum, { client }) => sum + (client.facts?.slots ?? 0), 0);
    const limits = [
      [queues.think, slots],
      [queues.transcribe, able(stt.replicas).length * atOnce.stt],
      [queues.speak, able(tts.replicas).length * atOnce.tts],
    ] as const;
    await Promise.all(limits.map(([queue, most]) => most > 0 && queue.setGlobalConcurrency(most)));
  };
  // Redis may have restarted without its data, or has only just become available.
  onEveryConnection({ redis, work: shareCapacity, onError });

  return {
    llm,
    stt,
    tts,
    /** Adds a server of another machine, unless the engine is off here. The returned function removes it. */
    borrow(engine: 'llm' | 'stt', at: Required<ServerAt>): () => void {
      if (urlsOf(config[engine]).length === 0) return () => undefined;
      const giveBack = { llm, stt }[engine].borrow(at);
      return () => {
        giveBack();
        shareCapacity().catch(onError);
      };
    },
    /** Status of the engines that are on. */
    statuses: (): Heartbeat['engines'] => ({
      ...engineBeat('llm', llm.status()),
      ...engineBeat('stt', stt.status()),
      ...engineBeat('tts', tts.status()),
    }),
    stop(): void {
      for (const engine of [llm, stt, tts]) engine.stop();
    },
  };
}

/** The servers that share the work: those that answer, or all if none does. */
function able<Client>(replicas: readonly Replica<Client>[]): readonly Replica<Client>[] {
  const answering = replicas.filter(({ silence }) => !silence?.());
  return answering.length > 0 ? answering : replicas;
}

/**
 * Records the calls of all engines. Failures are described in our own words, because an engine's message may
 * contain paths and addresses.
 */
function noteCalls({ worked, failed }: CallLog) {
  return (engine: EngineName, url: string, { tookMs, error }: EngineCallEnd) => {
    if (error) failed(engine, { url, message: callFailure(error) });
    else worked(engine, tookMs);
  };
}

/** An engine that is off has no status. */
function engineBeat(name: EngineName, status: EngineStatus | undefined): Heartbeat['engines'] {
  return status ? { [name]: status } : {};
}
