import { appendFileSync } from 'node:fs';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createWeatherServer } from './mcp-tools.ts';

/** The weather station as a program: `node mcp-program.ts <file for notes> [flood]`. */
const [, , notes = '/dev/null', mode] = process.argv;
appendFileSync(notes, 'started\n');

if (mode === 'silent') {
  setInterval(() => undefined, 1_000);
} else {
  const server = createWeatherServer({ onNote: (words) => appendFileSync(notes, `${words}\n`) });
  await server.connect(new StdioServerTransport());
  if (mode === 'flood') {
    const message = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })}\n`;
    setInterval(() => process.stdout.write(message.repeat(1_000)), 50);
  }
}
