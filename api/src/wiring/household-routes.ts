import { createUndoable } from '../actions/undoable.ts';
import { createErasure } from '../conversations/erasure.ts';
import { createMistakeStore } from '../conversations/mistake-store.ts';
import { createStoredConversations } from '../conversations/stored-conversations.ts';
import { adminConversationRoutes } from '../http/admin-conversation-routes.ts';
import { adminHomeRoutes } from '../http/admin-home-routes.ts';
import { adminListRoutes } from '../http/admin-list-routes.ts';
import { adminMistakeRoutes } from '../http/admin-mistake-routes.ts';
import { adminPauseRoutes } from '../http/admin-pause-routes.ts';
import { adminPipelineRoutes } from '../http/admin-pipeline-routes.ts';
import { adminSatelliteRoutes } from '../http/admin-satellite-routes.ts';
import { adminSentenceRoutes } from '../http/admin-sentence-routes.ts';
import { adminWakeWordRoutes } from '../http/admin-wake-word-routes.ts';
import { createRoomCheck } from '../http/room-check.ts';
import { satelliteWordRoutes } from '../http/satellite-word-routes.ts';
import { sentenceRoutes } from '../http/sentence-routes.ts';
import { systemClock as clock } from '../http/system-clock.ts';
import { undoableRoutes } from '../http/undoable-routes.ts';
import { wakeWordRoutes } from '../http/wake-word-routes.ts';
import { isTimeZone } from '../language/calendar/time-zones.ts';
import { loadExamples } from '../language/examples.ts';
import { createSay } from '../language/phrases.ts';
import { createPauseStore } from '../listen/utterance/pause-store.ts';
import { createListRequests } from '../lists/list-request.ts';
import { createListStore } from '../lists/list-store.ts';
import { createShownLists } from '../lists/shown-lists.ts';
import { homeService } from '../mdns/found-home.ts';
import { createServiceSearch } from '../mdns/service-search.ts';
import { createUnreadableLog } from '../redis/json-lines.ts';
import { createSatelliteRequests } from '../satellites/satellite-requests.ts';
import { createHomeStore } from '../settings/home-store.ts';
import { createHouseholdFolder } from '../settings/household-folder.ts';
import { createSatellitesThere } from '../timers/satellites-there.ts';
import { homeAddresses } from '../tls/machine-names.ts';
import type { ApiCore } from './api-core.ts';
import { byLanguage } from './by-language.ts';
import { reasonsOff } from './engine-addresses.ts';
import { isInContainer, offeredLanguages, ownSentencesOf } from './installation.ts';
import type { WiredTokens } from './tokens.ts';

/** A connected satellite answers at once. */
const maxOrderMs = 2_000;

/** Checks a name without delay, also beside a worker that does not answer. */
const thingsMs = 2_000;

/** Long enough for Home Assistant, and not too long for a person at the page. */
const listsMs = 10_000;

/** Routes for settings, stored conversations, lists and satellites. */
export function householdRoutes(core: ApiCore, tokens: Pick<WiredTokens, 'store' | 'known'>) {
  const { config, language, log, redis, settings, workers, workerCalls, fileRewrite, wakeWords } = core;
  const onUnreadable = createUnreadableLog(log);
  const mistakes = createMistakeStore({ redis, onUnreadable });
  const erase = createErasure({ redis, file: fileRewrite, mistakes });
  const kept = createStoredConversations({ redis, onUnreadable, erase });
  const ours = createShownLists({ lists: createListStore({ redis }) });
  const everywhere = createListRequests((request) =>
    workerCalls.lists(request, { withinMs: listsMs, signal: AbortSignal.timeout(listsMs) }),
  );
  const there = createSatellitesThere({ redis });
  return {
    ...adminPipelineRoutes({
      settings,
      languages: offeredLanguages(config),
      isTimeZone,
      mcpCommands: config.mcpCommands,
      workers,
      wakeWords,
      off: reasonsOff(config),
      speak: workerCalls.speak,
      checkRoutines: workerCalls.routines,
      sampleText: createSay(language.phrases)('sample', {}, ''),
      async rooms() {
        const things = await workerCalls
          .things({ withinMs: thingsMs, signal: AbortSignal.timeout(thingsMs) })
          .catch(() => null);
        const ofHome = things?.rooms.map(({ room }) => room) ?? [];
        const ofSatellites = (await there.seen()).map(({ room }) => room);
        return [...settings.current().rooms, ...ofSatellites, ...ofHome].flatMap((room) => room ?? []);
      },
    }),
    ...satelliteWordRoutes({
      languageOf: (language) => byLanguage(core.languages, (each) => each).of({ language }),
      languageIn: core.languageIn,
    }),
    ...wakeWordRoutes({ wakeWords, settings: settings.current }),
    ...adminWakeWordRoutes({
      ...{ wakeWords, settings: settings.current, log },
      folder: createHouseholdFolder({ path: config.wakeWordsDir, isInContainer: isInContainer(config) }),
    }),
    ...adminConversationRoutes({ kept }),
    ...adminMistakeRoutes({ mistakes, kept }),
    ...adminSentenceRoutes({
      sentences: ownSentencesOf(config),
      check: workerCalls.sentences,
      log,
    }),
    ...undoableRoutes({ undoable: createUndoable({ redis }) }),
    ...sentenceRoutes({
      examples: language.community
        ? { groups: [], routines: language.community.routines }
        : loadExamples(language.files),
      hasHome: core.hasHome,
      routines: () => settings.current().routines,
    }),
    ...adminSatelliteRoutes({
      ...{ log, tokens: tokens.store, knownTokens: tokens.known, clock: core.clock },
      there,
      speakers: core.speakers,
      choices: core.satelliteChoices,
      languages: core.languages.map(({ tag }) => tag),
      languageIn: core.languageIn,
      checkRoom: createRoomCheck(() => settings.current().names),
      requests: createSatelliteRequests({
        ...{ redis, subscriber: core.subscriber, onBadEvent: core.onBadEvent },
        maxWaitMs: maxOrderMs,
      }),
    }),
    ...adminHomeRoutes({
      workerCalls,
      store: createHomeStore({ redis }),
      fixedUrl: config.home?.url ?? null,
      search: createServiceSearch({ service: homeService, clock, addresses: homeAddresses }),
      log,
    }),
    ...adminPauseRoutes({
      pauses: createPauseStore({ redis }),
      cutOffs: core.cutOffs,
      settings: settings.current,
    }),
    ...adminListRoutes({
      lists: () => (settings.current().home_lists && core.hasHome() ? everywhere : ours),
    }),
  };
}
