import { X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { hostname } from 'node:os';
import { z } from 'zod';
import { gettext } from './gettext.ts';

const madeSchema = z.object({ name: z.string(), token: z.string() });
const toldSchema = z.object({ error: z.object({ message: z.string() }) });

const maxMs = 20_000;
/** Far more than a certificate or an answer. */
const maxBytes = 64 * 1024;

const { CODE: code = '', HOUSEHOLD_FILE: file = '' } = process.env;
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  return 1;
});

/** Redeems the code of `make invite` for an access key, and writes it into a file of this user alone. */
async function main(): Promise<number> {
  const [, host, secret, fingerprint, languages] =
    /^([\w.[\]:-]+)\/([\w-]{16,})\/([0-9a-f]{32})?\/([\w,-]*)$/.exec(code.trim()) ?? [];
  if (host === undefined || secret === undefined)
    throw new Error(gettext('This is not a code from "make invite". Copy it whole: make join CODE=...'));
  const url = `https://${host}`;
  const ca = fingerprint === undefined ? undefined : await caOf(url, fingerprint);
  const name = hostname().slice(0, 40);
  const answer = await call(`${url}/pair`, { ca, body: JSON.stringify({ code: secret, name }) });
  if (answer.status !== 201) throw new Error(messageOf(answer));
  const made = madeSchema.parse(JSON.parse(answer.text));
  const household = { url, ca: ca ?? null, language: languages || null, ...made };
  writeFileSync(file, `${JSON.stringify(household, null, 2)}\n`, { mode: 0o600 });
  process.stdout.write(`${gettext('This machine has joined the Hearth at %s as "%s".', url, made.name)}\n`);
  return 0;
}

/** The certificate of the household's authority. The code proves that it is the right one. */
async function caOf(url: string, fingerprint: string): Promise<string> {
  const { status, text } = await call(`${url}/hearth-ca.crt`, { isChecked: false });
  const found = status === 200 ? new X509Certificate(text).fingerprint256 : '';
  if (found.replaceAll(':', '').toLowerCase().startsWith(fingerprint)) return text;
  throw new Error(gettext('Another server answers at %s: it is not the Hearth that made the code.', url));
}

interface Answer {
  status: number;
  text: string;
}

interface CallOptions {
  ca?: string | undefined;
  body?: string;
  /** False: the certificate is not known yet. */
  isChecked?: boolean;
}

function call(url: string, { ca, body, isChecked = true }: CallOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const signal = AbortSignal.timeout(maxMs);
    const trust = { ...(ca !== undefined && { ca }), rejectUnauthorized: isChecked };
    const outgoing = request(url, { method, headers, signal, agent: false, ...trust }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxBytes) answer.destroy(new Error(gettext('The answer is too long.')));
      });
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      answer.once('error', reject);
    });
    outgoing.once('error', ({ message }) =>
      reject(new Error(gettext('Hearth does not answer at %s: %s', url, message))),
    );
    outgoing.end(body);
  });
}

function messageOf({ status, text }: Answer): string {
  try {
    return toldSchema.parse(JSON.parse(text)).error.message;
  } catch {
    return gettext('Hearth answered %s.', status);
  }
}
