import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { createLlmSlots } from '../engines/llm-slots.ts';
import { createAnswerTurn } from '../jobs/answer-turn.ts';
import { createNextStages } from '../jobs/chain.ts';
import { createProbeJob } from '../jobs/probe-job.ts';
import { openQueues } from '../jobs/queues.ts';
import { createRespondJob } from '../jobs/respond-job.ts';
import { createRingJob } from '../jobs/ring-job.ts';
import { runWorker } from '../jobs/run-worker.ts';
import { createSpeakJob } from '../jobs/speak-job.ts';
import { createThinkJob, createWarmJob } from '../jobs/think-job.ts';
import { createPartialTranscribeJob, createTranscribeJob } from '../jobs/transcribe-job.ts';
import type { Logger } from '../log.ts';
import { createLlmResponder } from '../respond/llm/llm-responder.ts';
import { createContextLine } from '../respond/llm/prompt.ts';
import { createSentenceSplitter } from '../speech-text/sentence-splitter.ts';
import { createSpeakable } from '../speech-text/speakable.ts';
import { watchDisks } from '../status/disks.ts';
import { type Heartbeat, heartbeatChannel } from '../status/engine-status.ts';
import { watchModelFiles } from '../status/model-files.ts';
import { createAudioStore } from '../turn/audio-store.ts';
import { createConversationStore } from '../turn/conversation-store.ts';
import { createTurnStore } from '../turn/turn-store.ts';
import { wireAnswers } from './answers.ts';
import { wireEngines } from './engines.ts';
import { wireHome } from './home.ts';
import { spokenLanguage } from './installation.ts';
import { wireProcess } from './process.ts';
import { wireRedis } from './redis.ts';
import { memoryOf, wireSettings } from './settings.ts';
import { wireTranscriber, wireVoice } from './speech.ts';
import { wireTimers } from './timers.ts';

/** How long things may take, where tests cannot wait as long as people do. */
export interface WorkerLimits {
  answerIdleMs?: number;
  /** Between two looks at all timers. */
  sweepEveryMs?: number;
  /** Names the process in its log lines. */
  instance?: string;
}

/** A worker process: the only caller of the engines. */
export function wireWorker(
  config: Config,
  log: Logger,
  { answerIdleMs, sweepEveryMs, instance = randomUUID().slice(0, 8) }: WorkerLimits = {},
) {
  const workerId = randomUUID();
  const connections = wireRedis(config, log);
  const { redis, subscriber, onError } = connections;
  const { timeZone } = config;
  const files = watchModelFiles({ modelsDir: config.modelsDir });
  const disks = watchDisks([config.modelsDir, process.cwd()]);
  const queues = openQueues({ redis, onError });
  const settings = wireSettings({ config, redis, subscriber, onError });
  const language = spokenLanguage(config);
  const turns = createTurnStore({ redis, keeps: memoryOf(settings) });
  const sounds = createAudioStore({ redis });
  const conversations = createConversationStore({ redis });
  const next = createNextStages({ redis, queues, turns });
  const { timers, sweep } = wireTimers({ config, log, redis, queues, settings, sweepEveryMs });
  const home = wireHome({ config, log, redis, language });
  const answers = wireAnswers({
    config,
    log,
    redis,
    settings,
    language,
    files,
    timers,
    home,
    engines: () => Object.values(engines.statuses()),
    models: () => engines.llm.replicas.map(({ client }) => client.facts),
  });
  const { household, headOf } = answers;
  const engines = wireEngines({
    config,
    log,
    redis,
    queues,
    files,
    settings,
    headOf: (facts) => headOf(facts, settings.current()),
    hello: language.prompt.hello,
    answerIdleMs,
    onError,
  });
  const { llm, stt, tts } = engines;
  const transcribe = wireTranscriber({
    config,
    settings,
    language,
    replicas: stt.replicas,
    home,
    household,
  });
  const { voice, pronounce, fallback } = wireVoice({ config, log, language, replicas: tts.replicas });
  const contextLine = createContextLine(timeZone, language.prompt);
  const answerTurn = createAnswerTurn({
    turns,
    conversations,
    next,
    settingsOf: settings.of,
    meant: answers.meant,
    openSplitter: () => createSentenceSplitter(language.speaking),
    speakable: createSpeakable(language.speaking),
    contextLine,
  });
  const llmResponder = createLlmResponder({
    replicas: llm.replicas,
    slots: createLlmSlots({ redis }),
    headOf,
    words: answers.words,
  });

  const worker = runWorker({
    workerId,
    redisUrl: config.redisUrl,
    subscriber,
    turns,
    stages: {
      transcribe: createTranscribeJob({ turns, sounds, transcribe, next }),
      respond: createRespondJob({
        answerTurn,
        responders: answers.responders,
        next: llm.replicas.length > 0 ? next : null,
      }),
      think: createThinkJob({ answerTurn, llm: llmResponder }),
      speak: createSpeakJob({ turns, sounds, settingsOf: settings.of, voice }),
      transcribePartial: createPartialTranscribeJob({
        sounds,
        transcribe,
        tell: ({ overheardId, replyTo }, transcript) => turns.tellPartial(replyTo, overheardId, transcript),
      }),
      probe: createProbeJob({
        turns,
        sounds,
        transcribe,
        voices: tts.replicas,
        pronounce,
        fallback,
        home: home?.client ?? null,
        command: (engine, wanted, signal) => ({ llm, stt, tts })[engine].command(wanted, signal),
      }),
      warm: createWarmJob({ conversations, settingsOf: settings.of, llm: llmResponder, contextLine }),
      ring: createRingJob({ timers, sweep }),
    },
    log,
  });

  const running = wireProcess({
    redis,
    subscriber,
    onBadEvent: onError,
    log,
    kind: 'worker',
    instance,
    busy: () => worker.running,
  });
  const heartbeat = (): Heartbeat => ({
    workerId,
    engines: engines.statuses(),
    servers: { llm: llm.servers(), stt: stt.servers(), tts: tts.servers() },
    disks: disks.current,
    running: worker.running,
  });

  return {
    /** Tells the api processes that this worker lives and what its engines can do. */
    async beat(): Promise<void> {
      if (redis.status === 'ready') await redis.publish(heartbeatChannel, JSON.stringify(heartbeat()));
    },
    restartAsked: running.restartAsked,
    /** Finishes what it has in hand, for so long at the most, and takes nothing new. */
    drain: (mostMs: number) => worker.stop(mostMs),
    async stop(graceMs: number): Promise<void> {
      running.stop();
      engines.stop();
      files.stop();
      disks.stop();
      home?.stop();
      await worker.stop(graceMs);
      await answers.stop();
      connections.close();
    },
  };
}
