import { Readable } from 'node:stream';
import { AppError } from '../errors.ts';

/** Maximum size of a page: a list of a thousand voices fits. */
const maxBytes = 4 * 1024 * 1024;
const passedOn = /^(application\/json|text\/(plain|html|css))\b/i;

/**
 * Headers that let an engine's page only display. It shares our origin, so its scripts would have the
 * caller's rights.
 */
export const pageHeaders = {
  'content-security-policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** The part of a reply used here. */
interface PageReply {
  statusCode: number;
  request: { method: string };
  getHeader(name: string): unknown;
  removeHeader(name: string): unknown;
  send(payload: unknown): unknown;
}

/** An answer as @fastify/reply-from passes it on. */
interface EngineAnswer {
  stream?: unknown;
}

/**
 * Passes an engine's page on as a whole and removes the hidden words. Any other answer becomes an error of
 * ours.
 */
export function createPageReader(hidden: readonly string[]) {
  const withoutAddresses = (text: string) =>
    hidden.reduce((rest, word) => rest.replaceAll(word, '[hidden]'), text);

  const page = async (reply: PageReply, stream: Readable): Promise<Buffer | string> => {
    const status = reply.statusCode;
    const type = String(reply.getHeader('content-type') ?? '');
    if (status === 404) throw new AppError('not_found', 'This server has no such page.');
    if (status === 400 && reply.request.method === 'POST') {
      throw new AppError('invalid_request', 'The model server does not understand this body.');
    }
    if (status !== 200) throw new AppError('server_bad_answer', `The model server answered with ${status}.`);
    if (!passedOn.test(type)) {
      throw new AppError('server_bad_answer', 'The model server sent something that is not a page.');
    }
    return withoutAddresses((await readWhole(stream)).toString());
  };

  return (reply: PageReply, answer: EngineAnswer): void => {
    const stream = streamOf(answer);
    // An aborted answer emits an error. Without a listener it would end the process.
    stream.on('error', () => undefined);
    const isHead = reply.request.method === 'HEAD';
    page(reply, stream).then(
      // Without a payload, no length is sent: it would be that of the page, which is not read.
      (text) => reply.send(isHead ? undefined : text),
      (error) => {
        stream.destroy();
        for (const name of Object.keys(pageHeaders)) reply.removeHeader(name);
        reply.send(error instanceof AppError ? error : broken(error));
      },
    );
  };
}

async function readWhole(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes)
      throw new AppError('server_bad_answer', 'The page of the model server is too large.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function broken(error: unknown): AppError {
  const isLate = error instanceof Error && 'code' in error && error.code === 'UND_ERR_BODY_TIMEOUT';
  return new AppError(isLate ? 'server_timeout' : 'server_unreachable', undefined, { cause: error });
}

function streamOf({ stream }: EngineAnswer): Readable {
  if (stream instanceof Readable) return stream;
  throw new Error('an answer without a body');
}
