import { randomUUID } from 'node:crypto';
import type { Config } from '../config.ts';
import { startRecounts } from '../conversations/conversation-budget.ts';
import { createConversationStore } from '../conversations/conversation-store.ts';
import { openQueues } from '../jobs/queues.ts';
import type { Language } from '../language/language.ts';
import type { Logger } from '../log.ts';
import { createFileRewrite } from '../redis/file-rewrite.ts';
import { createUnreadableLog } from '../redis/json-lines.ts';
import { communityToolWords } from '../respond/community/community-tool-words.ts';
import { loadToolWords } from '../respond/model/tool-words.ts';
import { createNextStages } from '../stages/next-stages.ts';
import { watchDisks } from '../status/disks.ts';
import { watchModelFiles } from '../status/model-files.ts';
import { createTurnStore } from '../turn/turn-store.ts';
import { wireAnnouncements } from './announcements.ts';
import { byLanguage } from './by-language.ts';
import { wireClock } from './clock.ts';
import { wireEngines } from './engines.ts';
import { wireForeignTools } from './foreign-tools.ts';
import { type WiredHousehold, wireHousehold } from './household.ts';
import { spokenLanguages } from './installation.ts';
import { wireRedis, wireSoundTransport } from './redis.ts';
import { memoryOf, wireBudget, wireSettings } from './settings.ts';
import { wireTimers } from './timers.ts';

interface WorkerCoreOptions {
  answerIdleMs?: number | undefined;
  sweepIntervalMs?: number | undefined;
}

export type WorkerCore = ReturnType<typeof wireWorkerCore>;

/** The parts of a worker, for its stages. */
export function wireWorkerCore(
  config: Config,
  log: Logger,
  { answerIdleMs, sweepIntervalMs }: WorkerCoreOptions,
) {
  const connections = wireRedis(config, log);
  const { redis, subscriber, onError } = connections;
  const files = watchModelFiles({ modelsDir: config.modelsDir });
  const disks = watchDisks([config.modelsDir, process.cwd()]);
  const queues = openQueues({ redis, onError });
  const settings = wireSettings({ config, log, redis, subscriber, onError });
  const languages = spokenLanguages(config);
  const clock = wireClock(redis, log);
  const budget = wireBudget({ redis, log, settings, clock });
  const turns = createTurnStore({ redis, keeps: memoryOf(settings), clock, budget });
  const recounts = startRecounts({ redis, budget, log });
  const sounds = wireSoundTransport(connections, randomUUID(), onError);
  const conversations = createConversationStore({ redis, onUnreadable: createUnreadableLog(log) });
  const next = createNextStages({ redis, queues, turns });
  const { timers, sweep } = wireTimers({
    config,
    log,
    redis,
    subscriber,
    onError,
    queues,
    settings,
    sweepIntervalMs,
    clock,
    commands: {
      carryOut: async (timer) => {
        await household.begun;
        await household.now({ language: timer.command?.language }).commands.carryOut(timer);
      },
      lose: (timer) => household.now({ language: timer.command?.language }).commands.lose(timer),
    },
  });
  const words = byLanguage(languages, toolWordsOf);
  const foreign = wireForeignTools({ config, log, redis, settings, words: words.of({}) });
  const fileRewrite = createFileRewrite({ redis, log });
  const household: WiredHousehold = wireHousehold({
    config,
    log,
    redis,
    subscriber,
    onError,
    settings,
    languages,
    files,
    timers,
    announcements: wireAnnouncements({
      config,
      log,
      redis,
      subscriber,
      settings,
      clock,
      onBadEvent: onError,
    }),
    clock,
    words,
    foreign,
    fileRewrite,
    engines: () => Object.values(engines.statuses()),
    models: () => engines.llm.replicas.map(({ client }) => client.facts),
  });
  const engines = wireEngines({
    config,
    log,
    redis,
    queues,
    files,
    settings,
    headOf: (facts) => household.now().answers.headOf(facts, settings.current()),
    hello: languages[0].prompt.hello,
    answerIdleMs,
    onError,
  });

  return {
    config,
    log,
    redis,
    subscriber,
    onError,
    clock,
    disks,
    settings,
    languages,
    turns,
    sounds,
    conversations,
    queues,
    next,
    timers,
    sweep,
    household,
    words,
    engines,
    /** Stops all watchers. */
    stopWatching(): void {
      engines.stop();
      files.stop();
      disks.stop();
      clock.stop();
      recounts.stop();
      household.stop();
    },
    async close(): Promise<void> {
      fileRewrite.stop();
      await foreign.stop();
      connections.close();
    },
  };
}

function toolWordsOf({ community, files }: Language) {
  return community ? communityToolWords(community.words) : loadToolWords(files);
}
