import { z } from 'zod';

const madeSchema = z.object({ token: z.string() });
const toldSchema = z.object({ error: z.object({ message: z.string() }) });

const maxMs = 20_000;

const { HOST: host, PORT: port, SERVICE_TOKEN: owners } = process.env;
const isAnywhere = !host || host === '0.0.0.0' || host === '::';
const name = isAnywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
process.exitCode = await main(`http://${name}:${port || '8765'}/admin/tokens`, process.argv.slice(2));

/**
 * Creates a token for a device or program, or revokes it: `make NAME SCOPE` or `revoke NAME`. Prints only the
 * token to stdout, and messages to stderr. 0: done; 1: refused; 2: no answer.
 */
async function main(address: string, [what, device = '', scope = '']: string[]): Promise<number> {
  const answer =
    what === 'revoke'
      ? await ask(`${address}/${encodeURIComponent(device)}`, { method: 'DELETE' })
      : await ask(address, { method: 'POST', body: JSON.stringify({ name: device, scope }) });
  if (!answer) return say(`Hearth does not answer at ${new URL(address).origin}.`, 2);
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok)
    return say(toldSchema.safeParse(body).data?.error.message ?? `Hearth answered ${answer.status}.`, 1);
  if (what === 'revoke') return say(`"${device}" no longer has access.`, 0);
  process.stdout.write(`${madeSchema.parse(body).token}\n`);
  return say(
    `The access key of "${device}", with the scope ${scope}. It is shown only this once: put it into the device now.`,
    0,
  );
}

async function ask(address: string, request: { method: string; body?: string }): Promise<Response | null> {
  const headers = {
    ...(request.body !== undefined && { 'content-type': 'application/json' }),
    ...(owners?.trim() && { authorization: `Bearer ${owners.trim()}` }),
  };
  return fetch(address, { ...request, headers, signal: AbortSignal.timeout(maxMs) }).catch(() => null);
}

function say(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
