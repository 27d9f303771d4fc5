import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { writeWav } from '../../../api/src/audio/wav.ts';
import { readAll } from '../clients/multipart.ts';
import { listenAgain, listenOnFreePort, whenGone } from '../servers/listen.ts';

const requestSchema = z.object({
  text: z.string(),
  voice: z.string().optional(),
  length_scale: z.number().optional(),
});

/** One text that was sent for synthesis. */
interface PiperCall {
  text: string;
  /** Fires when the caller hangs up before the sound has been sent. */
  gone: AbortSignal;
}

/** Decides the server's answer: the sound, an error page's status, or null for no answer. */
export type Voicing = (call: PiperCall) => Promise<Buffer | number | null> | Buffer | number | null;

interface FakePiperOptions {
  voices?: string[];
  /** A server before version 1.5: speech at /, no /info. */
  old?: boolean;
  /** Sends this instead of sound. */
  says?: Buffer;
  /** How it speaks each text; at once if not given. */
  speaks?: Voicing;
}

export type FakePiper = Awaited<ReturnType<typeof startFakePiper>>;

const rateHz = 22_050;
/** The text that a health check synthesizes. */
const ofALook = 'Ready.';

/**
 * A server with Piper's habits: sound labelled as a page, errors as pages, the default voice for an unknown
 * one.
 */
export async function startFakePiper({
  voices = ['en_US-joe-medium'],
  old = false,
  says,
  speaks = ({ text }) => soundOf(text),
}: FakePiperOptions = {}) {
  const spoken: z.infer<typeof requestSchema>[] = [];
  let speaking = speaks;
  let busy = 0;
  let maxAsked = 0;
  let left = 0;

  /** The server's report about itself; undefined for any other address. */
  const facts = (url: string | undefined): unknown => {
    if (url === '/voices') return Object.fromEntries(voices.map((name) => [name, {}]));
    if (url === '/info' && !old)
      return { voice: { name: voices[0], language: 'en', num_speakers: 1 }, last: null };
    return undefined;
  };
  const speak = async (type: string | undefined, body: string, gone: AbortSignal) => {
    // A form's content type empties the body before the program reads it.
    const wanted = requestSchema.safeParse(type === 'application/json' ? JSON.parse(body) : {});
    if (!wanted.success || !/[\p{L}\p{N}\p{Emoji}]/u.test(wanted.data.text)) return 500;
    spoken.push(wanted.data);
    if (says) return says;
    const { text } = wanted.data;
    busy += 1;
    maxAsked = Math.max(maxAsked, busy);
    gone.addEventListener('abort', () => {
      left += 1;
    });
    try {
      // A health check succeeds unless the server is completely silent.
      const isWell = text === ofALook && speaking !== neverSpeaks;
      return await (isWell ? soundOf(text) : speaking({ text, gone }));
    } finally {
      busy -= 1;
    }
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('connection', 'close');
    const gone = whenGone(response);
    const body = await readAll(request);
    const told = facts(request.url);
    if (told !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(told));
      return;
    }
    if (request.url !== (old ? '/' : '/synthesize')) return page(response, 404);
    if (request.method !== 'POST') return page(response, 405);
    const played = await speak(request.headers['content-type'], body.toString(), gone);
    if (typeof played === 'number') return page(response, played);
    if (played === null || gone.aborted) return void response.destroy();
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(played);
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.destroy(error));
  });
  const url = await listenOnFreePort(server);

  return {
    url,
    /** Every requested text, including those of health checks. */
    spoken,
    /** The texts without those of health checks. */
    get texts(): string[] {
      return spoken.map(({ text }) => text).filter((text) => text !== ofALook);
    },
    /** Changes the behaviour; resets it if nothing is given. */
    speaks(next: Voicing = speaks) {
      speaking = next;
    },
    /** Number of texts being synthesized. */
    get busy(): number {
      return busy;
    },
    /** Maximum number of simultaneous requests. */
    get maxAsked(): number {
      return maxAsked;
    },
    /** Number of calls whose caller hung up before the sound arrived. */
    get left(): number {
      return left;
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
    /** Listens again at the same address. */
    start: () => listenAgain(server, url),
  };
}

/** A sound of 10 ms a character. */
export function soundOf(text: string): Buffer {
  return writeWav({ sampleRateHz: rateHz, samples: Buffer.alloc(2 * 220 * text.length, 1) });
}

/** Speaks at this pace per character. */
export function speaksSlowly(msPerCharacter: number): Voicing {
  return async ({ text, gone }) => {
    await delay(msPerCharacter * text.length, undefined, { signal: gone }).catch(() => undefined);
    return gone.aborted ? null : soundOf(text);
  };
}

/** Fails with an error page on texts that contain these words; speaks every other text. */
export function failsOn(words: string, status = 500): Voicing {
  return ({ text }) => (text.includes(words) ? status : soundOf(text));
}

/** Sends nothing until the caller hangs up. */
export const neverSpeaks: Voicing = async ({ gone }) => {
  if (!gone.aborted) await once(gone, 'abort');
  return null;
};

function page(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
  response.end('<!doctype html><title>Error</title>');
}
