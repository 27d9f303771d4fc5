import { Agent, request } from 'undici';
import { waitFor } from '../wait-for.ts';
import { type ChatEvent, createChatReader, wordsOf } from './chat-events.ts';
import { checkResponse } from './contract-check.ts';

interface OpenOptions {
  headers?: Record<string, string>;
}

export type OpenChat = Awaited<ReturnType<typeof openChat>>;

/** Asks for a streamed answer and reads it as it arrives. */
export async function openChat(address: string, body: object, { headers = {} }: OpenOptions = {}) {
  const hangUp = new AbortController();
  const agent = new Agent();
  const response = await request(`${address}/v1/chat/completions`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ ...body, stream: true }),
    signal: hangUp.signal,
  });
  const { statusCode: status } = response;
  const text = status === 200 ? '' : await response.body.text();
  checkResponse({ method: 'POST', path: '/v1/chat/completions', status, headers: response.headers, text });
  const events: ChatEvent[] = [];
  const read = createChatReader((event) => events.push(event));
  const ended = (async () => {
    try {
      for await (const bytes of response.body) read(bytes);
    } catch (error) {
      if (!hangUp.signal.aborted) throw error;
    } finally {
      await agent.destroy();
    }
  })();
  ended.catch(() => undefined);
  return {
    status,
    headers: response.headers,
    /** The body of a refusal. */
    text,
    events,
    /** Resolves once this text has arrived. */
    words: (text: string) =>
      waitFor(() => wordsOf(events).includes(text), { what: `"${text}" comes over the stream` }),
    comment: () => waitFor(() => events.some(({ type }) => type === 'comment'), { what: 'a comment comes' }),
    hangUp: () => hangUp.abort(),
    /** Resolves with the whole stream once the server has ended it. */
    whole: async () => {
      await ended;
      return events;
    },
  };
}
