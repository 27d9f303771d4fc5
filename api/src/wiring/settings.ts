import type { Redis } from 'ioredis';
import type { Config } from '../config.ts';
import { type ConversationBudget, createConversationBudget } from '../conversations/conversation-budget.ts';
import type { Logger } from '../log.ts';
import type { HouseholdClock } from '../redis/household-clock.ts';
import { createUnreadableLog } from '../redis/json-lines.ts';
import type { FixedSettings, Seeds } from '../settings/pipeline.ts';
import { createSettings, type Settings } from '../settings/settings.ts';
import { isUnnamed } from '../timers/satellites-there.ts';
import type { Turn } from '../turn/turn.ts';
import { spokenTags } from './installation.ts';

interface SettingsWiring {
  config: Config;
  log: Logger;
  redis: Redis;
  subscriber: Redis;
  onError: (error: Error) => void;
}

/** The settings of a process. */
export function wireSettings({ config, log, ...connections }: SettingsWiring): Settings {
  const onUnreadable = createUnreadableLog(log);
  const fixed: FixedSettings = config.ownTimeZone.isFixed ? ['time_zone'] : [];
  return createSettings({ ...connections, onUnreadable, seeds: pipelineSeeds(config), fixed });
}

/** Settings from the environment, which apply unless /admin/pipeline has set them. */
function pipelineSeeds(config: Config): Seeds {
  return {
    // Without the choice, which would become its own default.
    language: spokenTags({ language: config.language })[0],
    time_zone: config.ownTimeZone.name,
    llm_model: config.llmModel,
    stt_model: config.sttModel,
    voice: config.ttsVoice,
    backup_at: config.backupAt ?? undefined,
    rooms: config.rooms.length > 0 ? [...config.rooms] : undefined,
    devices: config.devices.length > 0 ? [...config.devices] : undefined,
  };
}

/**
 * Limit for a conversation without a name. It ends with its connection, and no other connection can read it.
 * Its actions can be undone for a day.
 */
const maxUnnamedDays = 1;

/** How many turns a conversation keeps, and for how many days. */
export function memoryOf(settings: Settings) {
  return async (turn: Turn) => {
    const { memory_turns: turns, memory_days: days } = await settings.of(turn);
    return { turns, days: isUnnamed(turn.conversation) ? Math.min(days, maxUnnamedDays) : days };
  };
}

/** The memory budget of all conversations. */
export function wireBudget({
  redis,
  log,
  settings,
  clock,
}: Pick<SettingsWiring, 'redis' | 'log'> & {
  settings: Settings;
  clock: HouseholdClock;
}): ConversationBudget {
  return createConversationBudget({ redis, log, wantedMb: () => settings.current().memory_mb, clock });
}
