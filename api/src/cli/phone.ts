import { renderUnicodeCompact } from 'uqr';
import { z } from 'zod';

const pairingSchema = z.object({ url: z.string(), is_secure: z.boolean() });
const toldSchema = z.object({ error: z.object({ message: z.string() }) });

const maxMs = 20_000;

const { HOST: host, PORT: port, SERVICE_TOKEN: owners, PHONE_NAME: phone, SCOPE: scope } = process.env;
const isAnywhere = !host || host === '0.0.0.0' || host === '::';
const name = isAnywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
process.exitCode = await main(`http://${name}:${port || '8765'}/admin/pairings`);

/** Prints a QR code to pair one phone. 0: shown; 1: refused; 2: no answer. */
async function main(address: string): Promise<number> {
  const answer = await ask(address);
  if (!answer) return refuse(`Hearth does not answer at ${new URL(address).origin}.`, 2);
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok)
    return refuse(toldSchema.safeParse(body).data?.error.message ?? `Hearth answered ${answer.status}.`, 1);
  const { url, is_secure: isSecure } = pairingSchema.parse(body);
  process.stdout.write(
    `${renderUnicodeCompact(url, { border: 2, ecc: 'L' })}\n\n${wordsOf(url, isSecure)}\n`,
  );
  return 0;
}

function wordsOf(url: string, isSecure: boolean): string {
  const lines = [
    `Scan this with the camera of your phone, or open ${url} there.`,
    'It works for one phone, and for ten minutes. "make token NAME=... REVOKE=1" takes the phone out again.',
  ];
  if (!isSecure)
    lines.push('The phone can type, but not be spoken to: for that, Hearth must serve https (HTTPS=1).');
  return lines.join('\n');
}

async function ask(address: string): Promise<Response | null> {
  const headers = {
    'content-type': 'application/json',
    ...(owners?.trim() && { authorization: `Bearer ${owners.trim()}` }),
  };
  const body = JSON.stringify({ scope: scope || 'talk', ...(phone && { name: phone }) });
  return fetch(address, { method: 'POST', body, headers, signal: AbortSignal.timeout(maxMs) }).catch(
    () => null,
  );
}

function refuse(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
