import { createServer, type IncomingMessage } from 'node:http';
import { z } from 'zod';
import { writeWav } from '../../api/src/audio/wav.ts';
import { listenOnFreePort } from './listen.ts';

const requestSchema = z.object({
  text: z.string(),
  voice: z.string().optional(),
  length_scale: z.number().optional(),
});

interface FakePiperOptions {
  voices?: string[];
  /** A server before version 1.5: speech at /, no /info. */
  old?: boolean;
  /** Answers with this instead of sound. */
  says?: Buffer;
}

export type FakePiper = Awaited<ReturnType<typeof startFakePiper>>;

/** A server with the habits of Piper's: sound labelled as a page, errors as pages, the default voice for an unknown one. */
export async function startFakePiper({
  voices = ['en_US-joe-medium'],
  old = false,
  says,
}: FakePiperOptions = {}) {
  const spoken: z.infer<typeof requestSchema>[] = [];

  /** The facts that a server tells of itself; undefined for any other address. */
  const facts = (url: string | undefined): unknown => {
    if (url === '/voices') return Object.fromEntries(voices.map((name) => [name, {}]));
    if (url === '/info' && !old)
      return { voice: { name: voices[0], language: 'en', num_speakers: 1 }, last: null };
    return undefined;
  };
  /** A WAV, or the status of the page that comes instead. */
  const speak = (type: string | undefined, body: string): Buffer | number => {
    // A form's content type empties the body before the program reads it.
    const wanted = requestSchema.safeParse(type === 'application/json' ? JSON.parse(body) : {});
    if (!wanted.success || !/[\p{L}\p{N}\p{Emoji}]/u.test(wanted.data.text)) return 500;
    spoken.push(wanted.data);
    const samples = Buffer.alloc(2 * 220 * wanted.data.text.length, 1);
    return says ?? writeWav({ sampleRateHz: 22_050, samples });
  };
  const play = (request: IncomingMessage, body: string): Buffer | number => {
    if (request.url !== (old ? '/' : '/synthesize')) return 404;
    return request.method === 'POST' ? speak(request.headers['content-type'], body) : 405;
  };

  const server = createServer(async (request, response) => {
    response.setHeader('connection', 'close');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const told = facts(request.url);
    if (told !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
      return;
    }
    const played = play(request, Buffer.concat(chunks).toString());
    const isPage = typeof played === 'number';
    response.writeHead(isPage ? played : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(isPage ? '<!doctype html><title>Error</title>' : played);
  });

  return {
    url: await listenOnFreePort(server),
    spoken,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
