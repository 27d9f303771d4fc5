import { ask } from './ask.ts';
import { Ending, LockedOut } from './ending.ts';
import { textOf } from './event.ts';

const withinMs = 5_000;

/**
 * Finds out why a handshake failed, with a plain request: Node's WebSocket hides the reason. Returns an
 * Ending if a retry cannot help.
 */
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
