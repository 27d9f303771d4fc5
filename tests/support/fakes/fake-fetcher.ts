import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { FetcherState } from '../../../api/src/status/model-orders.ts';
import { readAll } from '../clients/multipart.ts';

const wishSchema = z.object({ kind: z.enum(['llm', 'stt', 'tts']), id: z.string() });
type FakeModel = FetcherState['models'][number];

export function modelOf(kind: FakeModel['kind'], id: string, more: Partial<FakeModel> = {}): FakeModel {
  return {
    ...{ kind, id, name: id, licence: 'MIT', card: null, languages: ['en'], bytes: 63_200_000 },
    ...{ isHere: false, isChosen: false, file: `store/${id}`, ...more },
  };
}

export type FakeFetcher = Awaited<ReturnType<typeof startFakeFetcher>>;

/** The model fetcher as the api sees it; the test decides how far an order progresses. */
export async function startFakeFetcher(models: readonly FakeModel[]) {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-fetcher-'));
  const socket = join(folder, 'models.sock');
  const state: FetcherState = {
    models: [...models],
    order: null,
    voices: { state: 'idle', reason: null, isKnown: false },
  };
  const answered: string[] = [];
  const refusal = (code: string, message: string) => ({ code, message });

  const begin = (path: string, wish: z.infer<typeof wishSchema>) => {
    const model = state.models.find(({ kind, id }) => kind === wish.kind && id === wish.id);
    if (!model) return refusal('not_found', 'There is no such model to choose.');
    if (path === '/refused') return null;
    if (path === '/answered') {
      answered.push(wish.id);
      if (state.order) state.order = { ...state.order, state: 'done', reason: `${model.name} answers.` };
      return null;
    }
    if (state.order && !['done', 'failed'].includes(state.order.state))
      return refusal('conflict', `${state.order.name} is still on its way.`);
    state.order = {
      ...{ kind: model.kind, id: model.id, name: model.name, state: 'downloading' },
      ...{ bytesDone: 0, bytesTotal: model.bytes, reason: null },
    };
    return null;
  };

  const act = (method: string, path: string, body: string) => {
    if (method === 'GET') return null;
    if (path === '/voices') {
      state.voices = { ...state.voices, state: 'asking' };
      return null;
    }
    if (method === 'DELETE') {
      if (state.order)
        state.order = { ...state.order, state: 'failed', reason: 'Stopped. The old one stays.' };
      return null;
    }
    return begin(path, wishSchema.parse(JSON.parse(body)));
  };
  const server = createServer(async (request, response) => {
    const refused = act(request.method ?? '', request.url ?? '', (await readAll(request)).toString());
    const status = refused === null ? 200 : refused.code === 'conflict' ? 409 : 404;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(refused ?? state));
  });
  server.listen(socket);
  await once(server, 'listening');

  return {
    socket,
    state,
    /** The models whose engines have answered, as reported to it. */
    answered,
    /** Advances the order to this state. */
    order(more: Partial<NonNullable<FetcherState['order']>>) {
      if (state.order) state.order = { ...state.order, ...more };
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
