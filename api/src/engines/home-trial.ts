import { type EngineClient, EngineError } from './engine-client.ts';
import type { HomeConnection } from './home-client.ts';
import { HomeError } from './home-fault.ts';
import type { ThingsByRoom } from './home-things.ts';

interface HomeTrialOptions {
  http: Pick<EngineClient, 'probe'>;
  client: Pick<HomeConnection, 'isRunning' | 'things'>;
  url: string;
  signal: AbortSignal;
}

type Found = Pick<ThingsByRoom, 'limited'> & { things: number; rooms: number };

/** The problem, and the setting that must change. */
interface Problem {
  param: 'url' | 'token';
  message: string;
}

const unknownNames = ['ENOTFOUND', 'EAI_AGAIN'];
/** The server at this address does not support https. */
const noTls = ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG', 'EPROTO'];
const badCertificate = /CERT|SELF_SIGNED|^UNABLE_|HOSTNAME_MISMATCH/;
const usualPort = '8123';

/** Checks whether a Home Assistant can be used and what it contains. Changes nothing in the house. */
export async function tryHome(options: HomeTrialOptions): Promise<{ found: Found } | { problem: Problem }> {
  const { client, signal } = options;
  try {
    if (!(await client.isRunning(signal))) throw new HomeError('starting');
    const { limited, total, rooms } = await client.things(signal);
    return { found: { things: total, rooms: rooms.filter(({ room }) => room !== null).length, limited } };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof HomeError)) throw error;
    return { problem: await problemOf(error, options) };
  }
}

async function problemOf(error: HomeError, { http, url, signal }: HomeTrialOptions): Promise<Problem> {
  if (error.failure === 'refused')
    return {
      param: 'token',
      message: 'Home Assistant does not accept the access token. Make a new one there.',
    };
  if (error.failure === 'banned')
    return {
      param: 'url',
      message:
        'Home Assistant has banned the address of Hearth. Remove it from ip_bans.yaml there, and restart it.',
    };
  if (error.failure === 'starting')
    return { param: 'url', message: 'Home Assistant is still starting. Try again in a minute.' };
  const secure = url.replace(/^http:/, 'https:');
  // A server that closes a plain HTTP connection, or answers with an error, may need https.
  const isMixedUp = secure !== url && !wasUnanswered(error) && (await speaksTls(secure, http, signal));
  const wants = isMixedUp || isSentOn(error) ? `It needs https: try ${secure}` : null;
  return { param: 'url', message: wants ?? sentenceOf(error, url) };
}

function sentenceOf(error: HomeError, url: string): string {
  const { hostname, port } = new URL(url);
  const codes = codesOf(error);
  if (codes.some((code) => noTls.includes(code)))
    return `It does not speak https: try ${url.replace(/^https:/, 'http:')}`;
  if (codes.some((code) => badCertificate.test(code)))
    return 'Its certificate is not one that this machine trusts. Use its address with http:// on the home network.';
  if (codes.some((code) => unknownNames.includes(code)))
    return `The name ${hostname} cannot be resolved on the machine that runs Hearth. Use the IP address, like http://192.168.1.20:${usualPort}`;
  if (error.failure === 'broken' || error.failure === 'missing')
    return 'Something other than Home Assistant answers at this address.';
  const port8123 = port === usualPort ? '' : ` Usually it is at port ${usualPort}.`;
  if (wasUnanswered(error)) return `Nothing answers at this address.${port8123}`;
  return error.failure === 'lost'
    ? `It closed the connection.${port8123}`
    : 'Home Assistant took too long to answer.';
}

function wasUnanswered({ failure }: HomeError): boolean {
  return failure === 'unreachable' || failure === 'slow' || failure === 'late';
}

/** Never follow a redirect, because the token would go with it. */
function isSentOn({ cause }: HomeError): boolean {
  const status = cause instanceof EngineError ? (cause.status ?? 0) : 0;
  return status >= 300 && status < 400;
}

async function speaksTls(url: string, http: HomeTrialOptions['http'], signal: AbortSignal): Promise<boolean> {
  try {
    await http.probe(url, signal);
    return true;
  } catch (error) {
    signal.throwIfAborted();
    return codesOf(error).some((code) => badCertificate.test(code));
  }
}

/** The codes of an error and of all its causes. */
function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const own = 'code' in error && typeof error.code === 'string' ? [error.code] : [];
  return [...own, ...codesOf(error.cause)];
}
