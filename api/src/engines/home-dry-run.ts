import { z } from 'zod';
import { talkOverSocket } from './engine-socket.ts';

interface DryRunOptions {
  baseUrl: string;
  token: string;
}

const messageSchema = z.object({
  type: z.string(),
  success: z.boolean().optional(),
  result: z.json().optional(),
});
const resultSchema = z.object({
  results: z.array(
    z
      .object({
        intent: z.object({ name: z.string() }).optional(),
        match: z.boolean().optional(),
        fuzzy_match: z.boolean().nullish(),
      })
      .nullable(),
  ),
});

/** Intents of Home Assistant that read and cannot act. */
const reading = /^Hass(?:\w*Get\w+)$/;

/** Asks Home Assistant what it would make of sentences. Nothing is done by it. */
export function createDryRun({ baseUrl, token }: DryRunOptions) {
  const url = `${baseUrl.replace(/^http/, 'ws')}/api/websocket`;

  /** Of each sentence, whether it would be answered by an intent that only reads, without any guessing. */
  return async (sentences: readonly string[], language: string, signal: AbortSignal): Promise<boolean[]> => {
    const command = {
      id: 1,
      type: 'conversation/agent/homeassistant/debug',
      sentences,
      language,
    };
    const result = await talkOverSocket({
      url,
      signal,
      answer(text, end) {
        const message = messageSchema.parse(JSON.parse(text));
        if (message.type === 'auth_required') return JSON.stringify({ type: 'auth', access_token: token });
        if (message.type === 'auth_ok') return JSON.stringify(command);
        if (message.type !== 'result' || !message.success) throw new Error(`the answer is ${message.type}`);
        end(JSON.stringify(message.result));
        return null;
      },
    });
    const { results } = resultSchema.parse(JSON.parse(result));
    return sentences.map((_, at) => {
      const found = results[at];
      return found?.match === true && !found.fuzzy_match && reading.test(found.intent?.name ?? '');
    });
  };
}
