import { randomUUID } from 'node:crypto';
import { createActionNotes } from '../actions/action-notes.ts';
import { createAskedStore } from '../actions/asked-store.ts';
import { createOnce } from '../actions/once.ts';
import type { Config } from '../config.ts';
import { createEngineClient } from '../engines/engine-client.ts';
import { createEspeak } from '../engines/espeak.ts';
import { createHomeClient } from '../engines/home-client.ts';
import { createLlmSlots } from '../engines/llm-slots.ts';
import { createMcpServers } from '../engines/mcp-servers.ts';
import { createAnswering } from '../jobs/answering.ts';
import { createNextStages, createRingJobs } from '../jobs/chain.ts';
import { createErrandJob } from '../jobs/errand-job.ts';
import { openQueues } from '../jobs/queues.ts';
import { createRespondJob } from '../jobs/respond-job.ts';
import { createRingJob } from '../jobs/ring-job.ts';
import { runWorker } from '../jobs/run-worker.ts';
import { createSpeakJob, createVoice } from '../jobs/speak-job.ts';
import { createThinkJob, createWarmJob } from '../jobs/think-job.ts';
import { createOverhearJob, createTranscribeJob, createTranscriber } from '../jobs/transcribe-job.ts';
import { createHints } from '../language/hints.ts';
import { createSay } from '../language/phrases.ts';
import type { Logger } from '../log.ts';
import { connectRedis } from '../redis/redis.ts';
import { createDoubts } from '../respond/doubts.ts';
import { createAskBackResponder, createUnheardResponder } from '../respond/hearing-responders.ts';
import { createHome } from '../respond/home/home.ts';
import { createLlmResponder } from '../respond/llm/llm-responder.ts';
import { createPromptHeads } from '../respond/llm/prompt-head.ts';
import { createNotConnectedResponder } from '../respond/not-connected/not-connected-responder.ts';
import { createHouseholdSkills } from '../respond/skills/household-skills.ts';
import { createSkillResponder } from '../respond/skills/skill-responder.ts';
import { createAgreedSkill } from '../respond/tools/asks-first.ts';
import { createHouseholdTools } from '../respond/tools/household-tools.ts';
import { createMcpTools } from '../respond/tools/mcp-tools.ts';
import { loadToolWords } from '../respond/tools/tool-words.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import { createQuietHours } from '../settings/quiet-hours.ts';
import { createPronunciation } from '../speech-text/pronunciation.ts';
import { createSentenceSplitter } from '../speech-text/sentence-splitter.ts';
import { createSpeakable } from '../speech-text/speakable.ts';
import { watchDisks } from '../status/disks.ts';
import { type Heartbeat, heartbeatChannel } from '../status/engine-status.ts';
import { watchModelFiles } from '../status/model-files.ts';
import { createTimerStore } from '../timers/timer-store.ts';
import { createTimerSweep } from '../timers/timer-sweep.ts';
import { createAudioStore } from '../turn/audio-store.ts';
import { createConversationStore } from '../turn/conversation-store.ts';
import { createTurnStore } from '../turn/turn-store.ts';
import { redisTrouble, spoken, spokenLanguage } from './api.ts';
import { wireEngines } from './engines.ts';
import { wireProcess } from './process.ts';
import { memoryOf, wireSettings } from './settings.ts';

/** How long things may take, where tests cannot wait as long as people do. */
export interface WorkerLimits {
  answerIdleMs?: number;
  /** Names the process in its log lines. */
  instance?: string;
}

/** A worker process: the only caller of the engines. */
export function wireWorker(
  config: Config,
  log: Logger,
  { answerIdleMs, instance = randomUUID().slice(0, 8) }: WorkerLimits = {},
) {
  const workerId = randomUUID();
  const onError = redisTrouble(log);
  const redis = connectRedis({ url: config.redisUrl, onError });
  const subscriber = connectRedis({ url: config.redisUrl, onError });
  const files = watchModelFiles({ modelsDir: config.modelsDir });
  const queues = openQueues({ redis, onError });

  const settings = wireSettings({ config, redis, subscriber, onError });

  const engines = wireEngines({
    config,
    log,
    redis,
    queues,
    files,
    settings,
    headOf: (facts) => headOf(facts, settings.current()),
    answerIdleMs,
    onError,
  });
  const { llm, stt, tts } = engines;
  const disks = watchDisks([config.modelsDir, process.cwd()]);

  const turns = createTurnStore({ redis, keeps: memoryOf(settings) });
  const sounds = createAudioStore({ redis });
  const conversations = createConversationStore({ redis });
  const ringJobs = createRingJobs({ redis, queues });
  const isQuiet = createQuietHours({ timeZone: config.timeZone, settings: settings.current });
  const timers = createTimerStore({ redis, jobs: ringJobs, isQuiet });
  const sweep = createTimerSweep({
    timers,
    hasJob: ringJobs.has,
    ringMs: () => settings.current().ring_minutes * 60_000,
    log,
  });
  redis.on('ready', sweep.look);
  const next = createNextStages({ redis, queues, turns });
  const language = spokenLanguage(config);
  const say = createSay(language.phrases);
  const homeClient =
    config.home && createHomeClient({ ...config.home, http: createEngineClient('home'), language: spoken });
  const home =
    homeClient &&
    createHome({
      client: homeClient,
      language,
      redis,
      log,
    });
  const toolWords = loadToolWords(language.files);
  // Allowed once more where it is started: what Redis holds may be older than what the environment says now.
  const allowedServers = ({ mcp_servers }: Pipeline) =>
    mcp_servers.filter(({ command }) => command === undefined || config.mcpCommands.includes(command));
  const mcpServers = createMcpServers({
    servers: () => allowedServers(settings.current()),
    onChange: ({ server, tools: found, isConnected }, failure) =>
      log[failure ? 'warn' : 'info'](
        { server, tools: found.length, failure },
        isConnected ? 'tools' : 'no tools',
      ),
  });
  settings.onChange(mcpServers.follow);
  const mcp = createMcpTools({
    servers: mcpServers,
    asked: createAskedStore({ redis }),
    once: createOnce({ redis }),
    notes: createActionNotes({ redis }),
    say: toolWords.say,
  });
  const household = createHouseholdSkills({
    language,
    redis,
    timeZone: config.timeZone,
    timers,
    engines: () => Object.values(engines.statuses()),
    more: [
      ...(home ? [home.skill] : []),
      mcp.skill(settings.current),
      createAgreedSkill({ tools: () => tools, say: toolWords.say }),
    ],
  });
  const skills = createSkillResponder(household);
  const doubts = createDoubts({ asked: household.asked, skills });
  const answering = createAnswering({
    turns,
    conversations,
    next,
    settingsOf: settings.of,
    meant: doubts.meant,
    openSplitter: () => createSentenceSplitter(language.speaking),
    speakable: createSpeakable(language.speaking),
    timeZone: config.timeZone,
  });
  const hints = createHints(language.hearing);
  const transcribe = createTranscriber({
    replicas: stt.replicas,
    settingsOf: settings.of,
    hints: async ({ room, words }) =>
      hints({
        room,
        words,
        rooms: [...(home?.names().rooms ?? []), ...config.rooms],
        devices: [...(home?.names().devices ?? []), ...config.devices],
        ...(await household.thereNow()),
      }),
    phantoms: language.hearing.phantoms,
  });
  const tools = createHouseholdTools({
    files: language.files,
    household,
    home: home?.control ?? null,
    timeZone: config.timeZone,
    words: toolWords,
  });
  const headOf = createPromptHeads({
    tools: (now) => [...tools, ...mcp.tools(now)],
    ownModelCallsTools: () => files.current.selection?.models.llm?.tools ?? null,
  });
  const llmResponder = createLlmResponder({
    replicas: llm.replicas,
    slots: createLlmSlots({ redis }),
    headOf,
    words: toolWords,
  });
  /** Only a model that knows tools can make use of a server; of one that has not answered yet nobody knows. */
  const callsTools = (now: Pipeline) =>
    llm.replicas.some(({ client: { facts } }) => facts === undefined || headOf(facts, now).tools.length > 0);
  const notConnected = createNotConnectedResponder({
    language,
    hasHome: Boolean(home),
    mayBeServed: (now) => now.tools && allowedServers(now).length > 0 && callsTools(now),
  });
  const pronounce = createPronunciation(language.speaking);
  const spare = createEspeak({ path: config.espeak, voice: language.speaking.espeak_voice });
  const worker = runWorker({
    workerId,
    redisUrl: config.redisUrl,
    subscriber,
    turns,
    stages: {
      transcribe: createTranscribeJob({ turns, sounds, transcribe, next }),
      respond: createRespondJob({
        answering,
        responders: [
          createUnheardResponder(say),
          skills,
          ...(home ? [home.responder] : []),
          notConnected,
          createAskBackResponder(say, doubts),
        ],
        next: llm.replicas.length > 0 ? next : null,
      }),
      think: createThinkJob({ answering, llm: llmResponder }),
      speak: createSpeakJob({
        turns,
        sounds,
        settingsOf: settings.of,
        voice: createVoice({
          replicas: tts.replicas,
          pronounce,
          spare,
          log,
        }),
      }),
      overhear: createOverhearJob({
        sounds,
        transcribe,
        tell: ({ overheardId, replyTo }, heard) => turns.tellOverheard(replyTo, overheardId, heard),
      }),
      errand: createErrandJob({
        turns,
        sounds,
        transcribe,
        voices: tts.replicas,
        pronounce,
        spare,
        home: homeClient,
        command: (engine, wanted, signal) => ({ llm, stt, tts })[engine].command(wanted, signal),
      }),
      warm: createWarmJob({
        conversations,
        settingsOf: settings.of,
        llm: llmResponder,
        timeZone: config.timeZone,
      }),
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
      await mcpServers.stop();
      redis.disconnect();
      subscriber.disconnect();
    },
  };
}
