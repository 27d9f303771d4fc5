import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnFreePort } from './listen.ts';

interface FakeSttOptions {
  /** Models in its cache. */
  installed?: string[];
  /** What it hears in any sound; `null` is silence: no segments, an empty text. */
  hears?: string | null;
  /** A replica that is up, but cannot answer: every route gets this status. */
  broken?: number;
}

export type FakeStt = Awaited<ReturnType<typeof startFakeStt>>;

interface Route {
  route: RegExp;
  play: (
    response: ServerResponse,
    call: { request: IncomingMessage; body: Buffer; named: string },
  ) => unknown;
}

/** A server that behaves as speaches 0.8.3 does: it never fetches a model by itself, and says so in its own shape. */
export async function startFakeStt({ installed = [], hears = 'Hello.', broken }: FakeSttOptions = {}) {
  const models = new Set(installed);
  const forms: Record<string, string>[] = [];
  const priorities: (string | undefined)[] = [];
  let fetched = 0;
  const fetching = Promise.withResolvers<void>();

  const routes: Route[] = [
    {
      route: /^GET \/v1\/models$/,
      play: (response) => {
        const data = [...models].map((id) => ({ id, object: 'model', task: 'automatic-speech-recognition' }));
        answer(response, 200, { data: [...data, { id: 'a-voice', task: 'text-to-speech' }], object: 'list' });
      },
    },
    { route: /^GET \/health$/, play: (response) => response.end('OK') },
    {
      route: /^POST \/v1\/models\/(.+)$/,
      play: async (response, { named }) => {
        fetched += 1;
        await fetching.promise;
        const isNew = !models.has(named);
        models.add(named);
        response.writeHead(isNew ? 200 : 201, { 'content-type': 'text/plain' });
        response.end(`Model '${named}' ${isNew ? 'downloaded' : 'already exists'}`);
      },
    },
    {
      route: /^POST \/v1\/audio\/transcriptions$/,
      play: (response, { request, body }) => {
        const form = readForm(request, body);
        forms.push(form);
        priorities.push(request.headers['priority']?.toString());
        const refused = refusal(form, models);
        if (refused) answer(response, refused.status, { detail: refused.detail });
        else answer(response, 200, verbose(hears));
      },
    },
  ];

  const server = createServer(async (request, response) => {
    const body = await readAll(request);
    if (broken) return answer(response, broken, { detail: 'broken' });
    const asked = `${request.method} ${request.url}`;
    for (const { route, play } of routes) {
      const match = route.exec(asked);
      if (match) return await play(response, { request, body, named: decodeURIComponent(match[1] ?? '') });
    }
    return answer(response, 404, { detail: 'Not Found' });
  });

  return {
    url: await listenOnFreePort(server),
    forms,
    priorities,
    /** How often it was told to fetch a model. */
    get fetched(): number {
      return fetched;
    },
    finishFetch: () => fetching.resolve(),
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function refusal(
  form: Record<string, string>,
  models: Set<string>,
): { status: number; detail: string } | null {
  if (!models.has(form['model'] ?? '')) {
    const detail = `Model '${form['model']}' is not installed locally. You can download the model using \`POST /v1/models\``;
    return { status: 404, detail };
  }
  if (form['file']?.startsWith('RIFF')) return null;
  return { status: 415, detail: 'Failed to decode audio. The provided file type is not supported.' };
}

function verbose(text: string | null): unknown {
  const segment = {
    id: 0,
    start: 0,
    end: 1,
    text: ` ${text}`,
    avg_logprob: -0.2,
    compression_ratio: 0.9,
    no_speech_prob: 0.02,
  };
  return {
    task: 'transcribe',
    language: 'en',
    duration: 1,
    text: text ?? '',
    segments: text === null ? [] : [segment],
    words: null,
  };
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The fields of a multipart form, each as text. */
function readForm(request: IncomingMessage, body: Buffer): Record<string, string> {
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1];
  const parts = body.toString('latin1').split(`--${boundary}`).slice(1, -1);
  return Object.fromEntries(
    parts.map((part) => {
      const [head = '', ...content] = part.split('\r\n\r\n');
      return [/ name="([^"]+)"/.exec(head)?.[1] ?? '', content.join('\r\n\r\n').replace(/\r\n$/, '')];
    }),
  );
}
