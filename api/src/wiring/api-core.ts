import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type ChannelWeigher, createChannelWeigher, equalWeights } from '../audio/channel-weights.ts';
import { createDecoder } from '../audio/decode.ts';
import { createSpeechCheck, type SpeechCheck } from '../audio/speech-check.ts';
import { loadVad, type Vad } from '../audio/vad.ts';
import type { Config } from '../config.ts';
import { createLateVad } from '../http/late-vad.ts';
import { watchLoad } from '../http/satellite-admission.ts';
import { openQueues } from '../jobs/queues.ts';
import { createCutOffs } from '../listen/playback/cut-offs.ts';
import type { Logger } from '../log.ts';
import { createFileRewrite } from '../redis/file-rewrite.ts';
import { watchWrites } from '../redis/redis-writes.ts';
import { createChoiceStore } from '../satellites/choice-store.ts';
import { createHomeStore } from '../settings/home-store.ts';
import { createKnownHome } from '../settings/known-home.ts';
import { createSpeakerStore } from '../speakers/speaker-store.ts';
import { watchAwake } from '../status/awake.ts';
import { watchCrashes } from '../status/crashes.ts';
import { watchModelFiles } from '../status/model-files.ts';
import { watchPresence } from '../status/worker-presence.ts';
import { createWorkerRegistry } from '../status/worker-registry.ts';
import { createRingJobs } from '../timers/ring-jobs.ts';
import { createTimerStore } from '../timers/timer-store.ts';
import { createTurnInbox } from '../turn/turn-events.ts';
import { createTurnLog } from '../turn/turn-log.ts';
import { createTurnStore } from '../turn/turn-store.ts';
import { createConversationPreload } from '../turn-client/conversation-preload.ts';
import { createPartialTranscription } from '../turn-client/partial-transcription.ts';
import { createSentenceSynthesis } from '../turn-client/sentence-synthesis.ts';
import { createTurnClient } from '../turn-client/turn-client.ts';
import { createWorkerCalls } from '../turn-client/worker-calls.ts';
import { createHouseholdWakeWords } from '../wake/household-wake-words.ts';
import { wireAnnouncements } from './announcements.ts';
import { wireClock } from './clock.ts';
import { installedVersion, spokenLanguages } from './installation.ts';
import { wireProcess } from './process.ts';
import { wireRedis, wireSoundTransport } from './redis.ts';
import { createRequestedLanguage } from './requested-language.ts';
import { logSandbox } from './sandboxes.ts';
import { memoryOf, wireBudget, wireSettings } from './settings.ts';

interface ApiCoreOptions {
  turnDeadlineMs?: number | undefined;
  queueLimitMs?: number | undefined;
  instance: string;
  /** Number of satellites connected to this process. */
  openSatellites: () => number;
}

export type ApiCore = ReturnType<typeof wireApiCore>;

/** The parts of an api process, for its routes and connections. */
export function wireApiCore(config: Config, log: Logger, options: ApiCoreOptions) {
  const { turnDeadlineMs, queueLimitMs, instance, openSatellites } = options;
  const apiId = randomUUID();
  const connections = wireRedis(config, log);
  const { redis, subscriber, onError } = connections;
  subscriber.setMaxListeners(0);
  const onBadEvent = (error: Error) => log.error({ err: error }, 'lost a message between processes');

  const files = watchModelFiles({ modelsDir: config.modelsDir });
  const crashes = watchCrashes({ folder: config.crashesDir });
  const clock = wireClock(redis, log);
  const { awake, running, presence, workers } = wireProcesses({
    connections,
    onBadEvent,
    log,
    instance,
    busy: () => turnClient.open,
    satellites: openSatellites,
    clock,
  });
  const writes = watchWrites({ redis, log });
  const load = watchLoad();
  const fileRewrite = createFileRewrite({ redis, log });
  const inbox = createTurnInbox({ subscriber, apiId, onBadEvent });
  const settings = wireSettings({ config, log, redis, subscriber, onError });
  const budget = wireBudget({ redis, log, settings, clock });
  const turns = createTurnStore({ redis, keeps: memoryOf(settings), clock, budget });
  const queues = openQueues({ redis, onError });
  const timers = createTimerStore({ redis, jobs: createRingJobs({ redis, queues, clock }), clock });
  const announcements = wireAnnouncements({ config, log, redis, subscriber, settings, clock, onBadEvent });
  const speakers = createSpeakerStore({ redis, steady: clock.steady });
  const satelliteChoices = createChoiceStore({ redis, steady: clock.steady });
  const sounds = wireSoundTransport(connections, apiId, onBadEvent);
  const turnLog = createTurnLog({ redis });
  const revision = settings.revision;
  const parts = { apiId, redis, queues, turns, sounds, inbox, workers, writes, revision, clock };
  const synthesizeSentence = createSentenceSynthesis(parts);
  const turnClient = createTurnClient({
    ...parts,
    synthesizeSentence,
    log: turnLog,
    logger: log,
    logsWords: () => settings.current().log_words,
    turnDeadlineMs,
    queueLimitMs,
  });

  const { vad, weighChannels, decoder, wakeWords, hasSpeech } = wireAudio(config, log);
  const home = wireKnownHome(config, connections);

  const redisFirstReady = new Promise<void>((resolve) => redis.once('ready', () => resolve()));
  return {
    config,
    log,
    version: installedVersion(),
    ...wireLanguages(config),
    redis,
    subscriber,
    onBadEvent,
    redisIsReady: () => redis.status === 'ready' && inbox.ready,
    /** Resolves when Redis is usable for the first time, possibly never. */
    redisWasReady: Promise.all([redisFirstReady, inbox.begun, clock.ready]),
    writes,
    load,
    cutOffs: createCutOffs(),
    suspension: awake.suspension,
    fileRewrite,
    clock,
    files,
    crashes,
    running,
    workers,
    settings,
    budget,
    turns,
    queues,
    timers,
    announcements,
    speakers,
    satelliteChoices,
    turnLog,
    turnClient,
    synthesizeSentence,
    transcribePartial: createPartialTranscription(parts),
    preloadConversation: createConversationPreload(parts),
    workerCalls: createWorkerCalls(parts),
    decoder,
    weighChannels,
    vad,
    wakeWords,
    /** Whether a Home Assistant is connected. */
    hasHome: () => home.current() !== null,
    /** Its address. Null: none is connected. */
    home: home.current,
    hasSpeech,
    stop: () => {
      const stopped = [running, presence, awake, clock, writes, load, fileRewrite, files, crashes];
      for (const part of stopped) part.stop();
      connections.close();
    },
  };
}

type Connections = ReturnType<typeof wireRedis>;

interface ProcessesWiring extends Pick<Parameters<typeof wireProcess>[0], 'onBadEvent' | 'log' | 'instance'> {
  connections: Connections;
  busy: () => number;
  satellites: () => number;
  clock: ReturnType<typeof wireClock>;
}

/** Watches this process and the others of the installation. */
function wireProcesses({ connections, onBadEvent, log, instance, busy, satellites, clock }: ProcessesWiring) {
  const { redis, subscriber } = connections;
  const awake = watchAwake();
  const running = wireProcess({
    redis,
    subscriber,
    onBadEvent,
    log,
    kind: 'api',
    instance,
    busy,
    satellites,
    clock,
    awakeSince: awake.since,
  });
  const presence = watchPresence({ redis });
  const workers = createWorkerRegistry({
    subscriber,
    presence,
    onBadEvent,
    isOneExpected: () => running.registry.isExpectedBack('worker'),
    awakeSince: awake.since,
  });
  return { awake, running, presence, workers };
}

function wireAudio(config: Config, log: Logger) {
  const vad = createLateVad(loadVad);
  const weighChannels = wireChannelWeigher(vad, log);
  const decoder = createDecoder({
    ffmpegPath: config.ffmpeg,
    maxSeconds: 120,
    maxAtOnce: 2,
    weighChannels,
  });
  logSandbox(log, 'ffmpeg', decoder);
  const wakeWords = createHouseholdWakeWords({
    folders: [join(config.modelsDir, 'wake'), config.wakeWordsDir],
    onRefused: (file, reason) => log.warn({ file, reason }, 'skipped a wake word'),
  });
  return { vad, weighChannels, decoder, wakeWords, hasSpeech: wireSpeechCheck(vad, log) };
}

function wireLanguages(config: Config) {
  const languages = spokenLanguages(config);
  /** `language` counts where no other was chosen. */
  return { languages, language: languages[0], languageIn: createRequestedLanguage(languages) };
}

/** The address of the connected Home Assistant. */
function wireKnownHome(config: Config, { redis, subscriber, onError }: Connections) {
  return createKnownHome<string>({
    redis,
    subscriber,
    fixed: config.home?.url ?? null,
    read: createHomeStore({ redis }).address,
    onError,
  });
}

/** Without a VAD, every recording counts as speech, and recognition decides. */
function wireSpeechCheck(vad: Vad, log: Logger): SpeechCheck {
  const hasSpeech = createSpeechCheck({ vad });
  return (sound, signal) =>
    hasSpeech(sound, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      log.warn({ err: error }, 'voice detection failed on a recording');
      return true;
    });
}

/** Without the VAD, decoding mixes all channels to their mean. */
function wireChannelWeigher(vad: Vad, log: Logger): ChannelWeigher {
  const weigh = createChannelWeigher({ vad });
  return (sound, signal) =>
    weigh(sound, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      log.warn({ err: error }, 'voice detection failed to choose a channel of a recording');
      return equalWeights(sound);
    });
}
