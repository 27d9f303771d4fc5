import { renderUnicodeCompact } from 'uqr';
import { z } from 'zod';
import { invitationOf } from './invitation.ts';

const pairingSchema = z.object({ url: z.string(), code: z.string(), is_secure: z.boolean() });
const networkSchema = z.object({ is_open: z.boolean(), set_by: z.string() });
const toldSchema = z.object({ error: z.object({ message: z.string() }) });

const maxMs = 20_000;

const { HOST: host, PORT: port, SERVICE_TOKEN: owners, PHONE_NAME: phone, SCOPE: scope } = process.env;
const { ADDRESS: address, HEARTH_LANGUAGE: language } = process.env;
const mayOpen = process.env['PHONE'] === '1';
const isAnywhere = !host || host === '0.0.0.0' || host === '::';
const name = isAnywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
process.exitCode = await main(`http://${name}:${port || '8765'}`);

/**
 * Prints a QR code to pair one phone, or with SCOPE=lend the command by which another machine joins. 0:
 * shown; 1: refused; 2: no answer; 3: Hearth is closed to the home network, and PHONE=1 would open it.
 */
async function main(origin: string): Promise<number> {
  const network = await ask(`${origin}/admin/network`);
  if (!network) return refuse(`Hearth does not answer at ${origin}.`, 2);
  const state = networkSchema.safeParse(network.body).data;
  if (state?.set_by === 'page' && !state.is_open) {
    if (!mayOpen) return 3;
    const opened = await ask(`${origin}/admin/network`, { method: 'PATCH', body: { is_open: true } });
    if (!opened?.isOk) return refuse(messageOf(opened), 1);
  }
  const wish = { scope: scope || 'talk', ...(phone && { name: phone }) };
  const made = await ask(`${origin}/admin/pairings`, { method: 'POST', body: wish });
  if (!made?.isOk) return refuse(messageOf(made), 1);
  const { url, code, is_secure: isSecure } = pairingSchema.parse(made.body);
  if (scope === 'lend') {
    const invitation = await invitationOf({ origin, url, code, address, language });
    if (invitation === null)
      return refuse('Another machine joins by https only. Set HTTPS=1 in .env, and restart.', 1);
    process.stdout.write(joinWords(invitation));
    return 0;
  }
  process.stdout.write(
    `${renderUnicodeCompact(url, { border: 2, ecc: 'L' })}\n\n${wordsOf(url, isSecure)}\n`,
  );
  return 0;
}

function joinWords(invitation: string): string {
  return [
    'On the machine that is to lend its engines, in a folder with Hearth, type:',
    `\n  make join CODE=${invitation}\n`,
    'It works once, and for ten minutes. Settings on the page can remove the machine again.\n',
  ].join('\n');
}

function wordsOf(url: string, isSecure: boolean): string {
  const lines = [
    `Scan this with the camera of your phone, or open ${url} there.`,
    'It works for one phone, and for ten minutes. "make token NAME=... REVOKE=1" revokes its access.',
  ];
  if (!isSecure)
    lines.push('The phone can type, but not be spoken to: for that, Hearth must serve https (HTTPS=1).');
  return lines.join('\n');
}

interface Answer {
  isOk: boolean;
  status: number;
  body: unknown;
}

/** Null: no answer. */
async function ask(
  address: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<Answer | null> {
  const headers = {
    ...(body && { 'content-type': 'application/json' }),
    ...(owners?.trim() && { authorization: `Bearer ${owners.trim()}` }),
  };
  const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(maxMs) }).catch(() => null);
  if (!answer) return null;
  const { ok: isOk, status } = answer;
  return { isOk, status, body: await answer.json().catch(() => undefined) };
}

function messageOf(answer: Answer | null): string {
  if (!answer) return 'Hearth does not answer.';
  return toldSchema.safeParse(answer.body).data?.error.message ?? `Hearth answered ${answer.status}.`;
}

function refuse(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
