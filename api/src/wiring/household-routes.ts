import { adminConversationRoutes } from '../http/admin-conversation-routes.ts';
import { adminListRoutes } from '../http/admin-list-routes.ts';
import { adminPauseRoutes } from '../http/admin-pause-routes.ts';
import { adminPipelineRoutes } from '../http/admin-pipeline-routes.ts';
import { createSay } from '../language/phrases.ts';
import { createListStore } from '../lists/list-store.ts';
import { createShownLists } from '../lists/shown-lists.ts';
import { createUnreadableLog } from '../redis/kept-lines.ts';
import { createErasure } from '../turn/erasure.ts';
import { createKeptConversations } from '../turn/kept-conversations.ts';
import { createPauseStore } from '../turn/pause-store.ts';
import type { ApiCore } from './api-core.ts';
import { reasonsOff } from './engine-addresses.ts';
import { spoken } from './installation.ts';

/** The household's own: how it is answered, its kept conversations, its lists. */
export function householdRoutes(core: ApiCore) {
  const { config, language, log, redis, settings, workers, probes, fileRewrite } = core;
  const onUnreadable = createUnreadableLog(log);
  const erase = createErasure({ redis, file: fileRewrite });
  return {
    ...adminPipelineRoutes({
      settings,
      languages: [spoken],
      mcpCommands: config.mcpCommands,
      workers,
      off: reasonsOff(config),
      speak: probes.speak,
      checkRoutines: probes.routines,
      sampleText: createSay(language.phrases)('sample', {}, ''),
    }),
    ...adminConversationRoutes({ kept: createKeptConversations({ redis, onUnreadable, erase }) }),
    ...adminPauseRoutes({ pauses: createPauseStore({ redis }), settings: settings.current }),
    ...adminListRoutes({ lists: createShownLists({ lists: createListStore({ redis }) }) }),
  };
}
