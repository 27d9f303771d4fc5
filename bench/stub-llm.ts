import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { spelled } from './spelled.ts';
import { createWorkLog } from './stub-work.ts';
import { writtenNow } from './token-clock.ts';

/**
 * A language model server of known speed: llama.cpp's protocol without a model. Runs as a separate process.
 * Messages set how long an answer takes (`{ engineMs }`), or request long answers (`{ stream: { firstMs,
 * tokens, perSecond } }`). With `isStory`, long answers consist of speakable words. With `repeatsMark`, they
 * start with the mark of the question, such as M17, and with `name`, they tell who answers. It sends its
 * port. An argument gives another port, or the path of a Unix socket. On `{ tell: true }` it sends its work
 * since the last time. A second argument gives the number of slots that it claims.
 */

const [at = '0', claimedSlots = '32'] = process.argv.slice(2);
/** By default more than the callers of any bench, so that waiting for a slot is never measured. */
const slots = Number(claimedSlots);
const contextTokens = 8_192;
const words = ['The', ' capital', ' of', ' France', ' is', ' Paris', '.'];

let engineMs = 0;
const done = createWorkLog();

const streamSchema = z.object({
  firstMs: z.number(),
  tokens: z.number(),
  perSecond: z.number(),
  isStory: z.boolean().optional(),
  repeatsMark: z.boolean().optional(),
  name: z.string().optional(),
});
/**
 * A long answer: each token carries its time of writing, or it tells a story. With `perSecond` 0, it sends as
 * fast as the caller reads.
 */
type Stream = z.infer<typeof streamSchema>;

let stream: Stream | undefined;

const server = createServer(async (request, response) => {
  // Reads the whole body, as any server must.
  const body = await text(request);
  const path = request.url?.split('?', 1)[0];
  if (path === '/v1/chat/completions') return await done.note('think', () => answer(response, body));
  const facts = path === undefined ? undefined : factsOf[path];
  response.writeHead(facts ? 200 : 404, { 'content-type': 'application/json' });
  response.end(
    JSON.stringify(facts ?? { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }),
  );
});

const factsOf: Readonly<Record<string, unknown>> = {
  '/health': { status: 'ok' },
  '/v1/models': { object: 'list', data: [{ id: 'local', object: 'model', owned_by: 'llamacpp' }] },
  '/props': {
    total_slots: slots,
    default_generation_settings: { n_ctx: contextTokens },
    model_alias: 'local',
  },
  // Every slot has read a prompt, so no slot needs a warm-up.
  '/slots': Array.from({ length: slots }, (_, id) => ({ id, is_processing: false, n_prompt_tokens: 100 })),
};

async function answer(response: ServerResponse, question: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send(response, {
    choices: [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }],
  });
  const written = stream ? await writeStream(response, stream, question) : await writeWords(response);
  send(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  const usage = {
    prompt_tokens: 100,
    completion_tokens: written,
    prompt_tokens_details: { cached_tokens: 90 },
  };
  send(response, { choices: [], usage });
  response.end('data: [DONE]\n\n');
}

/**
 * Sends the words one by one, evenly spread, the last of them `engineMs` after the question came. Returns
 * their number.
 */
async function writeWords(response: ServerResponse): Promise<number> {
  const begunAt = performance.now();
  const takesMs = engineMs;
  for (const [index, content] of words.entries()) {
    await until(begunAt + (takesMs * (index + 1)) / words.length);
    sendToken(response, content);
  }
  return words.length;
}

async function writeStream(
  response: ServerResponse,
  { firstMs, tokens, perSecond, isStory, repeatsMark, name }: Stream,
  question: string,
): Promise<number> {
  const begunAt = performance.now();
  const mark = repeatsMark ? [`You spoke${name ? ` to ${name}` : ''} of ${markOf(question)}.`, ' '] : [];
  const story = isStory ? [...mark, ...storyWords()] : null;
  const count = isStory ? Math.min(tokens, maxTokensOf(question)) : tokens;
  for (let index = 0; index < count && !response.destroyed; index += 1) {
    if (perSecond > 0) await until(begunAt + firstMs + (1_000 * index) / perSecond);
    else if (response.writableNeedDrain) await once(response, 'drain');
    // Numbered, because a repeating answer is stopped, and within one tick of the clock it would repeat
    // itself.
    sendToken(response, story ? (story[index % story.length] ?? '') : `${writtenNow()}/${index}`);
  }
  return count;
}

/** The caller takes a longer answer for one that does not end. A warm-up allows one token. */
function maxTokensOf(request: string): number {
  const { data } = z.object({ max_tokens: z.number() }).safeParse(JSON.parse(request));
  return data?.max_tokens ?? Number.POSITIVE_INFINITY;
}

/** The newest mark in a request: it shows whether an answer reached the wrong caller. */
function markOf(request: string): string {
  return [...request.matchAll(/\bM\d+\b/g)].at(-1)?.[0] ?? 'nothing';
}

/** Every story is about another boat, so that all of its sentences are new. */
const plot = `X was a little boat that lay beside the river all winter. In spring X heard the gulls and wished to see open water. An old captain
  painted X green and gave her a white sail. Together they went down to the harbour where X met big ships. Now X sails home each evening with
  stories of wide bright seas.`;
let stories = 0;

function storyWords(): string[] {
  stories += 1;
  const boat = `K${spelled(stories)}`;
  return plot.split(/\s+/).map((word, index) => `${index > 0 ? ' ' : ''}${word === 'X' ? boat : word}`);
}

async function until(at: number): Promise<void> {
  const waitMs = at - performance.now();
  if (waitMs > 0) await delay(waitMs);
}

function sendToken(response: ServerResponse, content: string): void {
  send(response, { choices: [{ index: 0, delta: { content }, finish_reason: null }] });
}

function send(response: ServerResponse, chunk: object): void {
  response.write(
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', model: 'local', ...chunk })}\n\n`,
  );
}

const tellSchema = z.object({ tell: z.literal(true) });

process.on('message', (message) => {
  if (tellSchema.safeParse(message).success) {
    process.send?.({ work: done.take() });
    return;
  }
  if (typeof message === 'object' && message !== null && 'engineMs' in message) {
    engineMs = Number(message.engineMs);
    stream = undefined;
  } else stream = z.object({ stream: streamSchema }).parse(message).stream;
  process.send?.({ engineMs });
});
process.on('disconnect', () => process.exit());
server.listen(at.startsWith('/') ? { path: at } : { port: Number(at), host: '127.0.0.1' }, () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : undefined });
});
