import type { Redis } from 'ioredis';
import type { Config, EngineConfig } from '../config.ts';
import { adminConversationRoutes } from '../http/admin-conversation-routes.ts';
import { adminListRoutes } from '../http/admin-list-routes.ts';
import { adminPipelineRoutes } from '../http/admin-pipeline-routes.ts';
import type { Errands } from '../jobs/errands.ts';
import type { Say } from '../language/phrases.ts';
import { createListStore } from '../lists/list-store.ts';
import { createShownLists } from '../lists/shown-lists.ts';
import type { Pipeline, Seeds } from '../settings/pipeline.ts';
import { createSettings, type Settings } from '../settings/settings.ts';
import type { EngineName } from '../status/engine-status.ts';
import type { WorkerRoll } from '../status/worker-roll.ts';
import { createKeptConversations } from '../turn/kept-conversations.ts';
import type { Turn } from '../turn/turn.ts';

interface SettingsWiring {
  config: Config;
  redis: Redis;
  subscriber: Redis;
  onError: (error: Error) => void;
}

/** The settings of a process. */
export function wireSettings({ config, ...connections }: SettingsWiring): Settings {
  return createSettings({ ...connections, seeds: pipelineSeeds(config) });
}

/** The settings that the environment makes where nobody has made them at /admin/pipeline. */
function pipelineSeeds({ llmModel, sttModel, ttsVoice }: Config): Seeds {
  return { llm_model: llmModel, stt_model: sttModel, voice: ttsVoice };
}

/** How much of its conversation a turn leaves behind. */
export function memoryOf(settings: Settings) {
  return async (turn: Turn) => {
    const { memory_turns: turns, memory_days: days } = await settings.of(turn);
    return { turns, days };
  };
}

/** Why an engine is off, by its name. */
export function reasonsOff({ llm, stt, tts }: Config): Partial<Record<EngineName, string>> {
  const reason = (name: EngineName, engine: EngineConfig) => ('off' in engine ? { [name]: engine.off } : {});
  return { ...reason('llm', llm), ...reason('stt', stt), ...reason('tts', tts) };
}

/** When the nightly check runs; null: never. */
export function checkTime({ check_at }: Pick<Pipeline, 'check_at'>): string | null {
  return check_at === 'never' ? null : check_at;
}

interface HouseholdRoutes {
  config: Config;
  redis: Redis;
  settings: Settings;
  workers: WorkerRoll;
  errands: Errands;
  say: Say;
  languages: readonly string[];
}

/** What the household has made its own: how it is answered, what is kept of it, its lists. */
export function householdRoutes({
  config,
  redis,
  settings,
  workers,
  errands,
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
      speak: errands.speak,
      sampleText: say('sample', {}, ''),
    }),
    ...adminConversationRoutes({ kept: createKeptConversations({ redis }) }),
    ...adminListRoutes({ lists: createShownLists({ lists: createListStore({ redis }) }) }),
  };
}
