import { z } from 'zod';
import { gettext } from './gettext.ts';

const refusalSchema = z.object({ error: z.object({ message: z.string(), param: z.string().optional() }) });

/** Long, because the api may validate with Home Assistant. */
const maxMs = 20_000;

/** The scripts send the token of the file. A running Hearth has the one that it read at its start. */
const otherToken = gettext(
  'Hearth does not run with the SERVICE_TOKEN in secrets.env. Restart Hearth, then try again.',
);

interface ApiAnswer {
  isOk: boolean;
  status: number;
  body: unknown;
}

/** The address of the api on this machine. `local` names the machine if the api listens on every address. */
export function ownOrigin(local = '127.0.0.1'): string {
  const { HOST: host, PORT: port } = process.env;
  const isAnywhere = !host || host === '0.0.0.0' || host === '::';
  const name = isAnywhere ? local : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port || '8765'}`;
}

/** The owner's token as a header; empty: there is none. */
export function ownersAccess(): { authorization?: string } {
  const token = process.env['SERVICE_TOKEN']?.trim();
  return token ? { authorization: `Bearer ${token}` } : {};
}

/** Sends a request with the owner's token. Null: no answer in time. */
export async function askApi(
  address: string,
  { method = 'GET', body }: { method?: string; body?: object } = {},
): Promise<ApiAnswer | null> {
  const headers = { ...(body && { 'content-type': 'application/json' }), ...ownersAccess() };
  const request = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(maxMs) }).catch(() => null);
  if (!answer) return null;
  const { ok: isOk, status } = answer;
  return { isOk, status, body: await answer.json().catch(() => undefined) };
}

/** The reason in an answer that is not ok, and the setting that it is about. */
export function refusalIn({ status, body }: Pick<ApiAnswer, 'status' | 'body'>) {
  if (status === 401) return { message: otherToken, param: undefined };
  const { message = gettext('Hearth answered %s.', status), param } =
    refusalSchema.safeParse(body).data?.error ?? {};
  return { message, param };
}

/** Prints a message to stderr. Returns the exit code. */
export function printMessage(text: string, code: number): number {
  process.stderr.write(`${text}\n`);
  return code;
}
