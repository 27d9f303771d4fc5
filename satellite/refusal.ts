import { ask } from './ask.ts';
import { Ending, TokenRejected } from './ending.ts';
import { textField } from './event.ts';
import { gettext } from './gettext.ts';

const withinMs = 5_000;

/** The end of a satellite that was connected with this token before. */
export function endOfToken(): Ending {
  return new TokenRejected(
    gettext(
      'Hearth no longer accepts the token of this satellite. Make another one on the page of Hearth, and set SERVICE_TOKEN to it.',
    ),
  );
}

interface Refused {
  url: URL;
  token: string | undefined;
  /** Whether this token has opened a connection before. */
  wasAccepted: boolean;
}

/**
 * Finds out why a handshake failed, with a plain request: Node's WebSocket hides the reason. Returns an
 * Ending if a retry cannot help.
 */
export async function whyRefused({ url, token, wasAccepted }: Refused): Promise<string | Ending> {
  const address = new URL(url);
  address.protocol = url.protocol.replace('ws', 'http');
  try {
    const answer = await ask(address, { token, signal: AbortSignal.timeout(withinMs) });
    if (answer.status === 401 && wasAccepted && token !== undefined) {
      await answer.body?.cancel();
      return endOfToken();
    }
    const body: unknown = await answer.json().catch(() => undefined);
    const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
    return sentenceOf(answer.status, textField(error, 'message'), address.origin);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    const code = textField(cause, 'code');
    return code
      ? gettext('Hearth does not answer at %s (%s).', address.origin, code)
      : gettext('Hearth does not answer at %s.', address.origin);
  }
}

function sentenceOf(status: number, message: string, origin: string): string | Ending {
  // It would admit a WebSocket, so the handshake only took too long.
  if (status === 426) return gettext('Hearth at %s is slow to answer.', origin);
  if (status === 401) {
    return new TokenRejected(
      gettext('%s answered 401: %s Set SERVICE_TOKEN to a token of the server.', origin, message),
    );
  }
  if (status === 403) return new Ending(gettext('%s answered %s: %s', origin, status, message));
  if (status === 404)
    return new Ending(gettext('%s answered 404: this is not Hearth, or its version is too old.', origin));
  return message
    ? gettext('%s answered %s: %s', origin, status, message)
    : gettext('%s answered %s', origin, status);
}
