import type { Redis } from 'ioredis';
import { createIdempotencyGuard } from '../actions/idempotency-guard.ts';
import type { Config } from '../config.ts';
import { createMcpServers } from '../engines/mcp-servers.ts';
import type { Logger } from '../log.ts';
import { createMcpTools } from '../respond/model/mcp-tools.ts';
import type { ToolWords } from '../respond/model/tool-words.ts';
import type { Pipeline } from '../settings/pipeline.ts';
import type { Settings } from '../settings/settings.ts';
import { createHouseholdRecords } from './household-stores.ts';

interface ForeignToolWiring {
  config: Config;
  log: Logger;
  redis: Redis;
  settings: Settings;
  words: ToolWords;
}

export type ForeignTools = ReturnType<typeof wireForeignTools>;

/** Tools of the MCP servers in the settings. */
export function wireForeignTools({ config, log, redis, settings, words }: ForeignToolWiring) {
  // Checked again before the start, because the stored settings may be older than the environment.
  const allowed = ({ mcp_servers }: Pipeline) =>
    mcp_servers.filter(({ command }) => command === undefined || config.mcpCommands.includes(command));
  const servers = createMcpServers({
    servers: () => allowed(settings.current()),
    onChange: ({ server, tools: found, isConnected }, failure) =>
      log[failure ? 'warn' : 'info'](
        { server, tools: found.length, failure },
        isConnected ? 'tools' : 'no tools',
      ),
  });
  settings.onChange(servers.follow);
  const { pendingQuestions, notes } = createHouseholdRecords({ redis });
  const { tools, skill } = createMcpTools({
    servers,
    pendingQuestions,
    isFirstAttempt: createIdempotencyGuard({ redis }),
    notes,
    say: words.say,
  });
  return {
    tools,
    skill: skill(settings.current),
    /** Whether the household has configured any. */
    areSetUp: (now: Pipeline) => allowed(now).length > 0,
    stop: servers.stop,
  };
}
