import type { McpTool } from '../../engines/mcp-client.ts';
import type { McpState } from '../../engines/mcp-servers.ts';
import type { McpServer } from '../../settings/pipeline.ts';
import type { Effect } from './tool.ts';

/** More tools confuse a small model, whatever its context size. */
const maxTools = 64;

/** A server's tool, as offered to the model. */
export interface OfferedTool {
  /** The name that the model uses: "weather__forecast". */
  name: string;
  server: string;
  tool: McpTool;
  effect: Effect;
}

/** The tools of the configured servers, sorted by name, each under a unique name. */
export function offeredTools(
  named: readonly McpServer[],
  states: readonly Pick<McpState, 'server' | 'tools'>[],
): OfferedTool[] {
  const byName = new Map(named.map((server) => [server.name, server]));
  const found = states.flatMap(({ server, tools }) => {
    const settings = byName.get(server);
    return settings ? tools.map((tool) => offer(settings, tool)) : [];
  });
  return distinct(found.toSorted((one, other) => (one.name < other.name ? -1 : 1))).slice(0, maxTools);
}

function offer(server: McpServer, tool: McpTool): OfferedTool {
  // An unmarked tool may do anything. The server chooses the names, and every object has a "toString".
  const marked = Object.hasOwn(server.acts ?? {}, tool.name) ? server.acts?.[tool.name] : undefined;
  const effect = (marked ?? server.default_effect) === 'read' ? 'read' : 'act';
  const plain = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]+/g, '_');
  // Two underscores: none of our own tools has them.
  return {
    name: `${plain(server.name)}__${plain(tool.name)}`.slice(0, 60),
    server: server.name,
    tool,
    effect,
  };
}

/** Numbers equal names. */
function distinct(all: readonly OfferedTool[]): OfferedTool[] {
  const seen = new Map<string, number>();
  return all.map((each) => {
    const count = (seen.get(each.name) ?? 0) + 1;
    seen.set(each.name, count);
    return count === 1 ? each : { ...each, name: `${each.name}_${count}` };
  });
}
