import { ask } from './ask.ts';
import { Ending, LockedOut } from './ending.ts';
import { textOf } from './event.ts';

const withinMs = 5_000;

/** Node's WebSocket hides why a handshake failed: a plain request to the same address reveals it. An Ending if trying again is no use. */
export async function whyRefused(url: URL, token: string | undefined): Promise<string | Ending> {
  const address = new URL(url);
  address.protocol = url.protocol.replace('ws', 'http');
  try {
    const answer = await ask(address, { token, signal: AbortSignal.timeout(withinMs) });
    const body: unknown = await answer.json().catch(() => undefined);
    const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
    return sentenceOf(answer.status, textOf(error, 'message'), address.origin);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return `Hearth does not answer at ${address.origin}${textOf(cause, 'code') && ` (${textOf(cause, 'code')})`}.`;
  }
}

function sentenceOf(status: number, message: string, origin: string): string | Ending {
  if (status === 401) {
    return new LockedOut(`${origin} answered 401: ${message} Set SERVICE_TOKEN to a token of the server.`);
  }
  if (status === 403) return new Ending(`${origin} answered 403: ${message}`);
  if (status === 404) return new Ending(`${origin} answered 404: that is no Hearth, or one that is too old.`);
  return `${origin} answered ${status}${message && `: ${message}`}`;
}
