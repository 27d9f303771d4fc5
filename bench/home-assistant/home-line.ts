import { WebSocket } from 'undici';
import { z } from 'zod';

/** The Home Assistant that the bench should use; null if none is configured. */
export const givenHome = ((): { url: string; token: string } | null => {
  const { HOME_ASSISTANT_URL: url, HOME_ASSISTANT_TOKEN: token } = process.env;
  return url && token ? { url, token } : null;
})();

const messageSchema = z.looseObject({
  id: z.number().optional(),
  type: z.string(),
  success: z.boolean().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
  event: z.unknown().optional(),
});

export type HomeLine = Awaited<ReturnType<typeof openHome>>;

/** A connection to Home Assistant with all rights of its page, for benches: it limits nothing. */
export async function openHome({ url, token }: { url: string; token: string }, signal: AbortSignal) {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/websocket`);
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const listening = new Map<number, (event: unknown) => void>();
  const opened = Promise.withResolvers<void>();
  let lastId = 0;
  signal.addEventListener('abort', () => socket.close(), { once: true });
  socket.addEventListener('close', () => {
    opened.reject(new Error('Home Assistant has closed the connection'));
    for (const each of waiting.values()) each.reject(new Error('Home Assistant has closed the connection'));
  });
  socket.addEventListener('message', ({ data }) => {
    const { id = 0, type, success, result, error, event } = messageSchema.parse(JSON.parse(String(data)));
    if (type === 'auth_required') socket.send(JSON.stringify({ type: 'auth', access_token: token }));
    if (type === 'auth_ok') opened.resolve();
    if (type === 'event') listening.get(id)?.(event);
    if (type !== 'result') return;
    if (success) waiting.get(id)?.resolve(result);
    else waiting.get(id)?.reject(new Error(`Home Assistant refuses: ${JSON.stringify(error)}`));
    waiting.delete(id);
  });
  await opened.promise;

  const ask = (command: object, onEvent?: (event: unknown) => void): Promise<unknown> => {
    lastId += 1;
    const answered = Promise.withResolvers<unknown>();
    waiting.set(lastId, answered);
    if (onEvent) listening.set(lastId, onEvent);
    socket.send(JSON.stringify({ id: lastId, ...command }));
    return answered.promise;
  };
  const http = async (path: string, method: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`);
    return text === '' ? null : JSON.parse(text);
  };

  return {
    url,
    ask,
    http,
    /** Sends sound to the handler with this number. */
    sendSound: (handler: number, samples: Uint8Array) =>
      socket.send(Buffer.concat([Buffer.from([handler]), samples])),
    close: () => socket.close(),
  };
}
