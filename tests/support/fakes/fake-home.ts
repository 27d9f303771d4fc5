import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { WebSocketServer } from 'ws';
import { z } from 'zod';
import { readAll } from '../clients/multipart.ts';
import { listenAgain, listenOnFreePort, whenGone } from '../servers/listen.ts';
import { commanded, type FakeReading, guessed, readSentence, type Thing } from './fake-home-sentences.ts';

const requestSchema = z.strictObject({
  text: z.string(),
  language: z.string().optional(),
  conversation_id: z.string().optional(),
  agent_id: z.literal('conversation.home_assistant').optional(),
  satellite_id: z.string().optional(),
  device_id: z.string().optional(),
});
const serviceSchema = z.object({ entity_id: z.array(z.string()) });

const debugSchema = z.object({
  id: z.number(),
  sentences: z.array(z.string()),
  device_id: z.string().optional(),
});

export type HomeCall = z.infer<typeof requestSchema>;

const house: Readonly<Record<string, Thing>> = {
  'light.kitchen_ceiling': { name: 'Kitchen ceiling', area: 'Kitchen', state: 'off' },
  'light.kitchen_counter': { name: 'Kitchen counter', area: 'Kitchen', state: 'off' },
  'light.bedside_lamp': { name: 'Bedside lamp', area: 'Bedroom', state: 'off' },
  'light.garage_lamp': { name: 'Garage lamp', area: 'Garage', state: 'off', becomes: 'unavailable' },
  'light.lazy_lamp': { name: 'Lazy lamp', area: 'Attic', state: 'off', becomes: 'off' },
  'lock.front_door': { name: 'Front door', area: 'Hall', state: 'locked' },
  'lock.back_door': { name: 'Back door', area: 'Hall', state: 'unlocked' },
  'cover.blinds': { name: 'Blinds', area: 'Bedroom', state: 'closed', deviceClass: 'blind' },
};

/** The devices in its rooms. */
const devices: Readonly<Record<string, string>> = { Kitchen: 'device-in-the-kitchen' };

/** An answer of the conversation API: a body, a status, `silent` for none at all, `reset` for a broken connection. */
export type HomePlay = (call: HomeCall) => object | string | number | 'silent' | 'reset';

interface FakeHomeOptions {
  /** The token is not an administrator's. */
  limited?: boolean;
}

export type FakeHome = Awaited<ReturnType<typeof startFakeHome>>;

export const homeToken = 'long-lived-token';

/** An answer that is spoken. */
export function spoken(
  speech: string,
  more: { type?: string; data?: object; asksBack?: boolean } = {},
): object {
  const { type = 'action_done', data = { success: [], failed: [] }, asksBack = false } = more;
  return {
    response: {
      speech: { plain: { speech, extra_data: null } },
      card: {},
      language: 'en',
      response_type: type,
      data,
    },
    conversation_id: '01M7ZPD2KKP0MRNRFC0CE8X7AK',
    continue_conversation: asksBack,
  };
}

export const notUnderstood = (code = 'no_intent_match') =>
  spoken("Sorry, I couldn't understand that", { type: 'error', data: { code } });

/**
 * A server with the habits of Home Assistant's conversation API. It acts on "turn on the kitchen lights" and the like, leaves out words that it does not
 * know, and takes the volume for whatever is turned up or down; asked how it would read a sentence, it answers without guessing.
 */
export async function startFakeHome({ limited = false }: FakeHomeOptions = {}) {
  const calls: HomeCall[] = [];
  const services: { service: string; ids: string[] }[] = [];
  const asked: string[] = [];
  let things: Record<string, Thing> = structuredClone(house);
  let core = 'RUNNING';
  let token = homeToken;

  const entity = (id: string) => ({ name: things[id]?.name ?? id, type: 'entity', id });
  const command = (ids: readonly string[], state: string) => {
    for (const id of ids) {
      const thing = things[id];
      if (thing) thing.state = thing.becomes ?? state;
    }
  };
  const acts = ({ text, satellite_id }: HomeCall): object => {
    const said = text.toLowerCase();
    if (/^(is|are|which|what|how)\b/.test(said)) return spoken('Yes', { type: 'query_answer' });
    if (/^(turn|set) .*\b(up|down)\b/.test(said)) return spoken('Volume set');
    const asked = commanded(said);
    if (!asked) return notUnderstood();
    const { words, isAll, state } = asked;
    const isHouse = isAll && readSentence(things, said)?.match === true;
    const ids = isHouse
      ? Object.keys(things).filter((id) => id.startsWith('light.'))
      : guessed(things, words, things[satellite_id ?? '']?.area);
    if (ids.length === 0) return notUnderstood('no_valid_targets');
    command(ids, state);
    return spoken('Turned on the lights', { data: { success: ids.map(entity), failed: [] } });
  };
  let play: HomePlay = acts;
  const understands = (sentence: string) => readSentence(things, sentence);
  let reads: (sentence: string, device?: string) => FakeReading | null | 'silent' = understands;

  const json = (response: ServerResponse, status: number, body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const converse = async (response: ServerResponse, body: string, gone: AbortSignal) => {
    const request = requestSchema.parse(JSON.parse(body));
    calls.push(request);
    const played = play(request);
    if (played === 'reset') return void response.destroy();
    if (played === 'silent') return void (gone.aborted || (await once(gone, 'abort')));
    if (typeof played === 'number') return json(response, played, { message: `it is ${played}` });
    return json(response, 200, played);
  };
  const rooms = () => [...new Set(Object.values(things).map(({ area }) => area)), 'Garden'];
  const template = (text: string): unknown => {
    const ids = Object.keys(things);
    const each = (read: (thing: Thing) => string) => Object.values(things).map(read);
    if (!text.includes("'areas'")) return { ids, states: each(({ state }) => state) };
    const idsIn = (area: string) => Object.keys(things).filter((id) => things[id]?.area === area);
    return {
      areas: rooms().map((name) => ({ name, ids: idsIn(name), device: devices[name] ?? null })),
      floors: ['Upstairs'],
      things: { ids, names: each(({ name }) => name), classes: each(({ deviceClass = '' }) => deviceClass) },
    };
  };
  const callService = (service: string, body: string): unknown[] => {
    const ids = serviceSchema.parse(JSON.parse(body)).entity_id;
    services.push({ service, ids });
    command(
      ids,
      { turn_on: 'on', turn_off: 'off', open_cover: 'open' }[service.split('/')[1] ?? ''] ?? 'closed',
    );
    return [];
  };
  /** The reply at addresses other than the conversation's; undefined: there is nothing. */
  const found = (url: string, body: string): unknown => {
    if (url === '/api/core/state') return { state: core };
    if (url === '/api/template')
      return template(z.object({ template: z.string() }).parse(JSON.parse(body)).template);
    if (url.startsWith('/api/services/')) return callService(url.slice('/api/services/'.length), body);
    if (url === '/api/states')
      return Object.entries(things).map(([id, { state }]) => ({ entity_id: id, state, attributes: {} }));
    const thing = things[url.replace('/api/states/', '')];
    return thing && { state: thing.state };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const gone = whenGone(response);
    const body = (await readAll(request)).toString();
    const { url = '' } = request;
    if (request.headers.authorization !== `Bearer ${token}`) return json(response, 401, '401: Unauthorized');
    if (limited && url === '/api/template') return json(response, 401, '401: Unauthorized');
    if (core === 'gone') return json(response, 404, '404: Not Found');
    if (url === '/api/conversation/process') return await converse(response, body, gone);
    const answer = found(url, body);
    json(response, answer === undefined ? 404 : 200, answer ?? '404: Not Found');
  };

  const server = createServer((request, response) => {
    serve(request, response).catch((error) => response.destroy(error));
  });
  const sockets = new WebSocketServer({ server, path: '/api/websocket' });
  sockets.on('connection', (socket) => {
    socket.send(JSON.stringify({ type: 'auth_required', ha_version: '2026.11.0' }));
    socket.on('message', (data) => {
      const message = z.looseObject({ type: z.string() }).parse(JSON.parse(String(data)));
      if (message.type === 'auth') {
        const isKnown = message['access_token'] === token;
        return socket.send(JSON.stringify({ type: isKnown ? 'auth_ok' : 'auth_invalid' }));
      }
      if (message.type === 'homeassistant/expose_entity/list') {
        const result = { exposed_entities: {} };
        return socket.send(JSON.stringify({ id: message['id'], type: 'result', success: true, result }));
      }
      const { id, sentences, device_id: device } = debugSchema.parse(message);
      asked.push(...sentences);
      const results = sentences.map((sentence) => reads(sentence, device));
      if (results.includes('silent')) return;
      socket.send(JSON.stringify({ id, type: 'result', success: true, result: { results } }));
    });
  });
  const url = await listenOnFreePort(server);
  const stop = async () => {
    for (const socket of sockets.clients) socket.terminate();
    server.closeAllConnections();
    server.close();
  };

  return {
    url,
    env: { HOME_ASSISTANT_URL: url, HOME_ASSISTANT_TOKEN: homeToken },
    /** The commands it was given, and the sentences it was only asked about. */
    calls,
    asked,
    services,
    stateOf: (id: string) => things[id]?.state,
    sets(id: string, state: string) {
      const thing = things[id];
      if (thing) thing.state = state;
    },
    /** Its own reply to a call. */
    acts,
    gains(id: string, thing: Thing) {
      things[id] = { ...thing };
    },
    loses(id: string) {
      delete things[id];
    },
    /** Its replies from now on; as at the beginning if not given. */
    plays(next: HomePlay = acts) {
      play = next;
    },
    /** Its reading of each sentence when it does nothing; as at the beginning if not given. */
    understands(next: typeof reads = understands) {
      reads = next;
    },
    /** The state it reports: NOT_RUNNING while it starts, `gone` before that. */
    is(state: 'RUNNING' | 'NOT_RUNNING' | 'gone') {
      core = state;
    },
    takesToken(next: string) {
      token = next;
      for (const socket of sockets.clients) socket.terminate();
    },
    /** As at the beginning, with nothing noted. */
    forget() {
      things = structuredClone(house);
      [play, reads, core, token] = [acts, understands, 'RUNNING', homeToken];
      for (const noted of [calls, services, asked]) noted.length = 0;
    },
    stop,
    start: () => listenAgain(server, url),
  };
}
