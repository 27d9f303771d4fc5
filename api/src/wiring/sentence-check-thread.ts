import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import type { Config } from '../config.ts';
import { loadExamples } from '../language/examples.ts';
import { finishBuilding } from '../language/grammar/built-later.ts';
import type { FileDraft } from '../language/language.ts';
import { createFileRewrite } from '../redis/file-rewrite.ts';
import { machineClock } from '../redis/household-clock.ts';
import { loadToolWords } from '../respond/model/tool-words.ts';
import type { SentenceDraft } from '../settings/own-sentences.ts';
import { createTimerStore } from '../timers/timer-store.ts';
import { wireAnnouncements } from './announcements.ts';
import { wireForeignTools } from './foreign-tools.ts';
import { openHome } from './home.ts';
import { wireInLanguage } from './household.ts';
import { installedLanguage } from './installation.ts';
import { wireSettings } from './settings.ts';

/** The fault of a file of own sentences, with its place in it. '': Hearth can start with it. */
function faultOf(draft: SentenceDraft, config: Config): string {
  // `en/skills/lists.yaml`
  const [tag = '', ...path] = draft.file.split('/');
  const file = path.join('/');
  try {
    build(tag, config, { ...draft, file });
    return '';
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return why.includes(file) ? why : `${file}: ${why}`;
  }
}

/**
 * Builds all answers of a language as a starting worker does. It asks none of them, and they reach nothing.
 */
function build(tag: string, config: Config, draft: FileDraft): void {
  const language = installedLanguage(tag, config, draft);
  loadExamples(language.files);
  const words = loadToolWords(language.files);
  const log = pino({ enabled: false });
  const clock = machineClock;
  const onError = (error: Error): never => {
    throw error;
  };
  // Connects at its first command, and none is sent.
  const redis = new Redis({ lazyConnect: true });
  const settings = wireSettings({ config, log, redis, subscriber: redis, onError });
  const parts = { config, log, redis, settings, clock, words };
  const nothing = async () => undefined;
  const place = openHome('silent', { log });
  wireInLanguage(place, {
    ...parts,
    language,
    timers: createTimerStore({ redis, jobs: { add: nothing, remove: nothing } }),
    announcements: wireAnnouncements({ ...parts, subscriber: redis, onBadEvent: onError }),
    foreign: wireForeignTools(parts),
    fileRewrite: createFileRewrite({ redis, log }),
    files: { current: { progress: null, selection: null }, stop: () => undefined },
    engines: () => [],
    models: () => [],
  });
  place.stop();
  finishBuilding();
}

// The image build loads every module once, outside a worker thread.
if (!isMainThread)
  parentPort?.on('message', (draft: SentenceDraft) => parentPort?.postMessage(faultOf(draft, workerData)));
