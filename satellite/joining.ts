import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ask } from './ask.ts';
import { Ending } from './ending.ts';
import { textField } from './event.ts';
import { gettext } from './gettext.ts';
import type { StoredHouse } from './stored-house.ts';

interface JoiningOptions {
  url: URL;
  /** The name of its conversation. The page shows it, so the person can recognize the device. */
  client: string;
  tell: (line: string) => void;
  /** Plays a WAV file. */
  play: (file: Buffer) => void;
  signal: AbortSignal;
}

const withinMs = 10_000;
const askEveryMs = 2_000;
const sayEveryMs = 60_000;
/** Delay after a temporary refusal, such as too many satellites at once. */
const retryDelayMs = 15_000;

/**
 * Asks the server to admit this satellite until a person agrees. It speaks and shows six digits, new ones
 * every ten minutes.
 */
export async function joinHouse(options: JoiningOptions): Promise<StoredHouse> {
  // The server gets only the hash; the token never leaves this machine.
  const token = `hearth_${randomBytes(32).toString('base64url')}`;
  for (;;) {
    const room = await joinOnce(options, token);
    if (room !== null) return { url: options.url.origin, token, room };
  }
}

/** Returns the room that the person assigned; null if the request expired or had too many wrong digits. */
async function joinOnce(options: JoiningOptions, token: string): Promise<string | null> {
  const { url, client, tell, signal } = options;
  const token_sha256 = createHash('sha256').update(token).digest('hex');
  const joining = await call(options, '/joinings', { name: client, token_sha256 });
  const [id, digits] = [textField(joining?.body, 'id'), textField(joining?.body, 'digits')];
  if (joining?.status !== 201 || !id) {
    await waitOrEnd(options, joining);
    return null;
  }
  tell(
    gettext(
      'This satellite asks to join. Type %s on the page of Hearth: %s, Settings, "Satellites".',
      digits ?? '',
      url.origin,
    ),
  );
  let saidAtMs = Number.NEGATIVE_INFINITY;
  for (;;) {
    if (performance.now() - saidAtMs > sayEveryMs) {
      saidAtMs = performance.now();
      void sayDigits(options, id);
    }
    await delay(askEveryMs, undefined, { signal });
    const now = await call(options, `/joinings/${id}`);
    if (now?.status === 404) return null;
    if (textField(now?.body, 'state') === 'joined') return textField(now?.body, 'room');
  }
}

/** Waits after a temporary refusal. Throws if only a person can help. */
async function waitOrEnd({ url, tell, signal }: JoiningOptions, answer: Answer | null): Promise<void> {
  const error = answer && typeof answer.body === 'object' && answer.body !== null ? answer.body : {};
  const message = textField('error' in error ? error.error : undefined, 'message');
  if (answer?.status === 404)
    throw new Ending(
      gettext('%s does not let satellites join. Set SERVICE_TOKEN to a token of the server.', url.origin),
    );
  if (answer && answer.status < 500 && answer.status !== 429)
    throw new Ending(gettext('%s answered %s: %s', url.origin, answer.status, message));
  tell(gettext('%s Trying again.', message || gettext('Hearth does not answer at %s.', url.origin)));
  await delay(retryDelayMs, undefined, { signal });
}

interface Answer {
  status: number;
  body: unknown;
}

/** Null if there was no answer. */
async function call({ url, signal }: JoiningOptions, path: string, body?: object): Promise<Answer | null> {
  try {
    const answer = await ask(new URL(path, url), {
      signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
      ...(body && {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    return { status: answer.status, body: await answer.json().catch(() => undefined) };
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** The digits also appear on the screen, so a server without a voice does not prevent joining. */
async function sayDigits({ url, signal, play }: JoiningOptions, id: string): Promise<void> {
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(2 * withinMs)]);
    const answer = await ask(new URL(`/joinings/${id}/speech`, url), { signal: limited });
    const sound = Buffer.from(await answer.arrayBuffer());
    if (answer.ok) play(sound);
  } catch {
    return;
  }
}
