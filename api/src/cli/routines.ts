import { readFileSync } from 'node:fs';
import { dump, load, YAMLException } from 'js-yaml';
import { z } from 'zod';

const stateSchema = z.object({ values: z.object({ routines: z.array(z.json()) }) });
const toldSchema = z.object({ error: z.object({ message: z.string(), param: z.string().optional() }) });

/** Long, because all steps are validated, and some need Home Assistant. */
const maxMs = 20_000;

const { HOST: host, PORT: port, SERVICE_TOKEN: owners } = process.env;
const isAnywhere = !host || host === '0.0.0.0' || host === '::';
const name = isAnywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
process.exitCode = await main(`http://${name}:${port || '8765'}/admin/pipeline`, process.argv[2] === 'read');

/** Prints the routines as YAML, or replaces them with those from stdin. 0: done; 1: refused; 2: no answer. */
async function main(address: string, isReading: boolean): Promise<number> {
  const wanted = isReading ? readInput() : null;
  if (typeof wanted === 'string') return say(wanted, 1);
  const answer = await ask(address, wanted && { method: 'PATCH', body: JSON.stringify(wanted) });
  if (!answer) return say(`Hearth does not answer at ${new URL(address).origin}.`, 2);
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) {
    const { message = `Hearth answered ${answer.status}.`, param } =
      toldSchema.safeParse(body).data?.error ?? {};
    return say(param === undefined || message.includes(param) ? message : `${param}: ${message}`, 1);
  }
  const { routines } = stateSchema.parse(body).values;
  if (isReading) return say(`${routines.length} kept. They count from the next sentence on.`, 0);
  process.stdout.write(dump({ routines }, { lineWidth: 120 }));
  return 0;
}

/** Returns a sentence if the input is invalid. */
function readInput(): { routines: unknown } | string {
  try {
    const read = z.strictObject({ routines: z.array(z.json()) }).safeParse(load(readFileSync(0, 'utf8')));
    return read.success ? read.data : 'The file must have "routines" at its top, and a list under it.';
  } catch (error) {
    if (error instanceof YAMLException) return `The file is not valid YAML: ${error.message}`;
    throw error;
  }
}

async function ask(
  address: string,
  change: { method: string; body: string } | null,
): Promise<Response | null> {
  const headers = {
    ...(change && { 'content-type': 'application/json' }),
    ...(owners?.trim() && { authorization: `Bearer ${owners.trim()}` }),
  };
  return fetch(address, { ...change, headers, signal: AbortSignal.timeout(maxMs) }).catch(() => null);
}

function say(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
