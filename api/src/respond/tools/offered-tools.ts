import type { McpTool } from '../../engines/mcp-client.ts';
import type { McpState } from '../../engines/mcp-servers.ts';
import type { McpServer } from '../../settings/pipeline.ts';
import type { Effect } from './tool.ts';

/** More in all crowd a small model's head, whatever its context holds. */
const mostTools = 64;

/** A tool of a server, as it is offered to the model. */
export interface OfferedTool {
  /** The name that the model calls it by: "weather__forecast". */
  name: string;
  server: string;
  tool: McpTool;
  effect: Effect;
}

/** The tools of the servers that the household has named, in the order of their names, each under a name of its own. */
export function offeredTools(
  named: readonly McpServer[],
  states: readonly Pick<McpState, 'server' | 'tools'>[],
): OfferedTool[] {
  const byName = new Map(named.map((server) => [server.name, server]));
  const found = states.flatMap(({ server, tools }) => {
    const settings = byName.get(server);
    return settings ? tools.map((tool) => offer(settings, tool)) : [];
  });
  return distinct(found.toSorted((one, other) => (one.name < other.name ? -1 : 1))).slice(0, mostTools);
}

function offer(server: McpServer, tool: McpTool): OfferedTool {
  // What nobody has marked may do anything. The server names its tools, and "toString" is something that every object has.
  const marked = Object.hasOwn(server.acts ?? {}, tool.name) ? server.acts?.[tool.name] : undefined;
  const effect = (marked ?? server.default_effect) === 'read' ? 'read' : 'act';
  const plain = (text: string) => text.replaceAll(/[^A-Za-z0-9_-]+/g, '_');
  // Two underscores: no tool of ours is called so.
  return {
    name: `${plain(server.name)}__${plain(tool.name)}`.slice(0, 60),
    server: server.name,
    tool,
    effect,
  };
}

/** Names that came out the same are numbered. */
function distinct(all: readonly OfferedTool[]): OfferedTool[] {
  const seen = new Map<string, number>();
  return all.map((each) => {
    const count = (seen.get(each.name) ?? 0) + 1;
    seen.set(each.name, count);
    return count === 1 ? each : { ...each, name: `${each.name}_${count}` };
  });
}
