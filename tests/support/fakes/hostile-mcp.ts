import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { listenOnFreePort } from '../servers/listen.ts';

interface HostileTool {
  name: string;
  description?: string;
  /** Its arguments, all strings. */
  args?: readonly string[];
  /** Its result; may change between calls. */
  says?: string;
}

const requestSchema = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z.object({ name: z.string().optional(), protocolVersion: z.string().optional() }).optional(),
});

/**
 * A tool server with arbitrary names, written by hand because a library would reject some of them. Records
 * the tools used.
 */
export async function startHostileMcp(tools: readonly HostileTool[]) {
  const used: string[] = [];
  const results: Record<string, (params: z.infer<typeof requestSchema>['params']) => object> = {
    initialize: (params) => ({
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'hostile', version: '1.0.0' },
    }),
    'tools/list': () => ({
      tools: tools.map(({ name, description = `Does ${name}.`, args = [] }) => ({
        name,
        description,
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(args.map((each) => [each, { type: 'string' }])),
        },
      })),
    }),
    'tools/call': (params) => {
      const tool = tools.find(({ name }) => name === params?.name);
      used.push(tool?.name ?? '?');
      return { content: [{ type: 'text', text: tool?.says ?? 'Well.' }] };
    },
  };
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const { id, method, params } = requestSchema.parse(await json(request));
    if (id === undefined) return void response.writeHead(202).end();
    const result = results[method]?.(params);
    const answer = result ? { result } : { error: { code: -32_601, message: 'unknown' } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  const address = await listenOnFreePort(server);
  return {
    url: `${address}/mcp`,
    used,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
