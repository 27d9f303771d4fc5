import type { Redis } from 'ioredis';
import type { Config } from '../config.ts';
import { adminConversationRoutes } from '../http/admin-conversation-routes.ts';
import { adminListRoutes } from '../http/admin-list-routes.ts';
import { adminPipelineRoutes } from '../http/admin-pipeline-routes.ts';
import type { Probes } from '../jobs/probes.ts';
import type { Say } from '../language/phrases.ts';
import { createListStore } from '../lists/list-store.ts';
import { createShownLists } from '../lists/shown-lists.ts';
import type { Settings } from '../settings/settings.ts';
import type { WorkerRoll } from '../status/worker-roll.ts';
import { createKeptConversations } from '../turn/kept-conversations.ts';
import { reasonsOff } from './engine-addresses.ts';

interface HouseholdRoutes {
  config: Config;
  redis: Redis;
  settings: Settings;
  workers: WorkerRoll;
  probes: Probes;
  say: Say;
  languages: readonly string[];
}

/** What the household has made its own: how it is answered, what is kept of it, its lists. */
export function householdRoutes({
  config,
  redis,
  settings,
  workers,
  probes,
  say,
  languages,
}: HouseholdRoutes) {
  return {
    ...adminPipelineRoutes({
      settings,
      languages,
      mcpCommands: config.mcpCommands,
      workers,
      off: reasonsOff(config),
      speak: probes.speak,
      sampleText: say('sample', {}, ''),
    }),
    ...adminConversationRoutes({ kept: createKeptConversations({ redis }) }),
    ...adminListRoutes({ lists: createShownLists({ lists: createListStore({ redis }) }) }),
  };
}
