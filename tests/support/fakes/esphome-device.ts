import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { clipFile } from '../audio/recordings.ts';
import { waitFor } from '../wait-for.ts';

const python = resolve(import.meta.dirname, '../../../.venv/bin/python');
export const hasPython = existsSync(python);

const lineSchema = z.union([
  z.object({ port: z.number() }),
  z.object({
    got: z.string(),
    data: z.record(z.string(), z.unknown()),
    unknown: z.number(),
  }),
  z.object({ file: z.string(), bytes: z.number() }),
]);
type Line = z.infer<typeof lineSchema>;
type Received = Extract<Line, { got: string }>;

interface DeviceOptions {
  name: string;
  mac: string;
  /** Its encryption key in base64. Without one, it is not encrypted. */
  key?: string;
}

/** Starts a voice device on the messages of PyPI's aioesphomeapi, in a process of its own. */
export async function startEsphomeDevice({ name, mac, key }: DeviceOptions) {
  const script = join(import.meta.dirname, 'esphome-device.py');
  const child = spawn(python, [script, name, mac, clipFile('hello'), ...(key ? [key] : [])], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: Line[] = [];
  createInterface(child.stdout).on('line', (line) => lines.push(lineSchema.parse(JSON.parse(line))));
  const find = <Found>(pick: (line: Line) => Found | undefined, what: string): Promise<Found> =>
    waitFor(async () => lines.map(pick).find((found) => found !== undefined) ?? false, { what });
  const port = await find((line) => ('port' in line ? line.port : undefined), 'the port of the device');

  const received = (): Received[] => lines.filter((line) => 'got' in line);
  return {
    address: `127.0.0.1:${port}`,
    received,
    /** The first message of this type after `forget`. */
    message: (type: string, data: Record<string, unknown> = {}) =>
      find(
        (line) =>
          'got' in line &&
          line.got === type &&
          Object.entries(data).every(([field, is]) => line.data[field] === is)
            ? line.data
            : undefined,
        `${type} ${JSON.stringify(data)}`,
      ),
    /** The answer that it has fetched: its first four bytes and its length. */
    file: () => find((line) => ('file' in line ? line : undefined), 'an answer'),
    forget(): void {
      lines.length = 0;
    },
    tell: (order: 'wake' | 'restart') => child.stdin.write(`${order}\n`),
    async end(): Promise<void> {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}
