import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import { readAll } from '../clients/multipart.ts';
import { listenAgain, listenOnFreePort, whenGone } from '../servers/listen.ts';
import { createFakeLists } from './fake-home-lists.ts';
import { commanded, type FakeReading, guessed, readSentence, type Thing } from './fake-home-sentences.ts';

const requestSchema = z.strictObject({
  text: z.string(),
  language: z.string().optional(),
  conversation_id: z.string().optional(),
  agent_id: z.literal('conversation.home_assistant').optional(),
  satellite_id: z.string().optional(),
  device_id: z.string().optional(),
});
const serviceSchema = z.object({
  entity_id: z.array(z.string()),
  /** The address of the sound: media_id for a voice device, media_content_id for a player. */
  media_id: z.string().optional(),
  media_content_id: z.string().optional(),
  announce: z.boolean().optional(),
});

const listenSchema = z.object({
  id: z.number(),
  type: z.enum(['subscribe_entities', 'subscribe_events']),
  event_type: z.string().optional(),
});
const messageSchema = z.looseObject({ type: z.string() });
const debugSchema = z.object({
  id: z.number(),
  sentences: z.array(z.string()),
  device_id: z.string().optional(),
});

type HomeCall = z.infer<typeof requestSchema>;

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

/** The aliases of its rooms. */
const areaAliases: Readonly<Record<string, readonly string[]>> = { Bedroom: ['Snuggery'] };
/** The devices in its rooms. */
const devices: Readonly<Record<string, string>> = { Kitchen: 'device-in-the-kitchen' };

/**
 * An answer of the conversation API: a body or a status. `silent` sends no answer, `reset` breaks the
 * connection.
 */
type HomePlay = (call: HomeCall) => object | string | number | 'silent' | 'reset';

interface FakeHomeOptions {
  /** The token is not an administrator's. */
  limited?: boolean;
}

export type FakeHome = Awaited<ReturnType<typeof startFakeHome>>;

export const homeToken = 'long-lived-token';

const templateSchema = z.object({
  template: z.string(),
  variables: z.object({ ids: z.array(z.string()) }).optional(),
});

/** A spoken answer. */
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
 * A server that behaves like Home Assistant's conversation API. It acts on "turn on the kitchen lights" and
 * similar commands, and drops unknown words. It changes the volume for anything that is turned up or down.
 * When asked how it reads a sentence, it answers without guessing.
 */
export async function startFakeHome({ limited = false }: FakeHomeOptions = {}) {
  const calls: HomeCall[] = [];
  const services: { service: string; ids: string[] }[] = [];
  const serviceData: Record<string, unknown>[] = [];
  const played: { id: string; url: string; announce: boolean; sound: Buffer }[] = [];
  const asked: string[] = [];
  const seen: string[] = [];
  let things: Record<string, Thing> = structuredClone(house);
  let core = 'RUNNING';
  let token = homeToken;

  const entity = (id: string) => ({ name: things[id]?.name ?? id, type: 'entity', id });
  const command = (ids: readonly string[], state: string) => {
    for (const id of ids) {
      const thing = things[id];
      if (thing) thing.state = thing.becomes ?? state;
    }
    tell();
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
  const template = ({ template: text, variables }: z.infer<typeof templateSchema>): unknown => {
    if (text.includes('area_name(id)'))
      return { area: variables?.ids.map((id) => things[id]?.area).find(Boolean) ?? '' };
    const listed = Object.entries(things).filter(([id]) => !id.startsWith('todo.'));
    const ids = listed.map(([id]) => id);
    const each = (read: (thing: Thing) => string) => listed.map(([, thing]) => read(thing));
    if (!text.includes("'areas'")) return { ids, states: each(({ state }) => state) };
    const idsIn = (area: string) => Object.keys(things).filter((id) => things[id]?.area === area);
    return {
      areas: rooms().map((name) => ({ name, ids: idsIn(name), device: devices[name] ?? null })),
      floors: ['Upstairs'],
      speakers: speakersOf(things),
      things: { ids, names: each(({ name }) => name), classes: each(({ deviceClass = '' }) => deviceClass) },
    };
  };
  /** Voice devices and players fetch the sound that they should play. */
  const playsSound = async (ids: readonly string[], url: string, announce: boolean): Promise<void> => {
    const sound = Buffer.from(await (await fetch(url)).arrayBuffer());
    for (const id of ids) played.push({ id, url, announce, sound });
  };
  const lists = createFakeLists();
  const callService = async (service: string, body: string): Promise<unknown> => {
    if (service.startsWith('todo/')) return lists.serve(service, JSON.parse(body));
    const call: unknown = JSON.parse(body);
    const { entity_id: ids, media_id, media_content_id, announce } = serviceSchema.parse(call);
    const { entity_id: _, ...data } = z.looseObject({ entity_id: z.unknown() }).parse(call);
    services.push({ service, ids });
    serviceData.push(data);
    const url = media_id ?? media_content_id;
    if (url !== undefined) await playsSound(ids, url, announce === true);
    if (url !== undefined || service === 'media_player/media_stop') return [];
    const becomes: Readonly<Record<string, string>> = {
      turn_on: 'on',
      turn_off: 'off',
      open_cover: 'open',
      lock: 'locked',
      unlock: 'unlocked',
    };
    command(ids, becomes[service.split('/')[1] ?? ''] ?? 'closed');
    return [];
  };
  /** The reply for all paths but the conversation's; undefined for an unknown path. */
  const found = async (url: string, body: string): Promise<unknown> => {
    if (url === '/api/core/state') return { state: core };
    if (url === '/api/template') return template(templateSchema.parse(JSON.parse(body)));
    if (url.startsWith('/api/services/')) return callService(url.slice('/api/services/'.length), body);
    if (url === '/api/states')
      return Object.entries(things).map(([id, { state, name, features: supported_features = 0 }]) => ({
        entity_id: id,
        state,
        attributes: { friendly_name: name, supported_features },
      }));
    const thing = things[url.replace('/api/states/', '')];
    return thing && { state: thing.state, attributes: thing.attributes ?? {} };
  };
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const gone = whenGone(response);
    const body = (await readAll(request)).toString();
    const { url = '' } = request;
    if (request.headers.authorization !== `Bearer ${token}`) return json(response, 401, '401: Unauthorized');
    if (limited && url === '/api/template') return json(response, 401, '401: Unauthorized');
    if (core === 'gone') return json(response, 404, '404: Not Found');
    if (url === '/api/conversation/process') return await converse(response, body, gone);
    const answer = await found(url, body);
    json(response, answer === undefined ? 404 : 200, answer ?? '404: Not Found');
  };

  /** The states that each subscriber has received. */
  const listeners = new Map<WebSocket, { id: number; told: Record<string, string> }>();
  const namesListeners: { socket: WebSocket; id: number }[] = [];
  let isMute = false;
  const send = (socket: WebSocket, message: object) => {
    if (!isMute) socket.send(JSON.stringify(message));
  };
  const inFull = ([id]: [string, string]) => [
    id,
    { s: things[id]?.state ?? '', a: things[id]?.attributes ?? {} },
  ];
  /** Sends the changes since then, in Home Assistant's compressed format. */
  function tell() {
    for (const [socket, listener] of listeners) {
      const { id, told } = listener;
      const now = statesOf(things);
      const changed = Object.entries(now).filter(([each, state]) => told[each] !== state);
      const added = changed.filter(([each]) => !(each in told)).map(inFull);
      const others = changed
        .filter(([each]) => each in told)
        .map((each) => [each[0], { '+': inFull(each)[1] }]);
      const removed = Object.keys(told).filter((each) => !(each in now));
      listener.told = now;
      const event = {
        ...(added.length > 0 && { a: Object.fromEntries(added) }),
        ...(others.length > 0 && { c: Object.fromEntries(others) }),
        ...(removed.length > 0 && { r: removed }),
      };
      if (Object.keys(event).length > 0) send(socket, { id, type: 'event', event });
    }
  }
  const converseOn = (socket: WebSocket, { id, type: _, ...body }: Record<string, unknown>) => {
    const request = requestSchema.parse(body);
    calls.push(request);
    const played = play(request);
    if (played === 'reset') return socket.terminate();
    if (played === 'silent') return;
    if (typeof played === 'object')
      return send(socket, { id, type: 'result', success: true, result: played });
    const code = played === 404 ? 'unknown_command' : 'unknown_error';
    send(socket, { id, type: 'result', success: false, error: { code, message: `it is ${played}` } });
  };
  const listens = (socket: WebSocket, { id, type, event_type }: z.infer<typeof listenSchema>) => {
    send(socket, { id, type: 'result', success: true, result: null });
    if (type === 'subscribe_events' && event_type === 'entity_registry_updated')
      namesListeners.push({ socket, id });
    if (type !== 'subscribe_entities') return;
    const states = Object.entries(statesOf(things)).map(inFull);
    send(socket, { id, type: 'event', event: { a: Object.fromEntries(states) } });
    listeners.set(socket, { id, told: statesOf(things) });
    socket.on('close', () => listeners.delete(socket));
  };

  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    serve(request, response).catch((error) => response.destroy(error));
  });
  const sockets = new WebSocketServer({ server, path: '/api/websocket' });
  const results: Readonly<Record<string, () => object>> = {
    'homeassistant/expose_entity/list': () => ({ exposed_entities: exposedOf(things) }),
    'config/entity_registry/get_entries': () => entriesOf(things),
    'config/device_registry/list': () => [],
    'config/floor_registry/list': () => [],
    'config/label_registry/list': () => [],
    'config/area_registry/list': () =>
      rooms().map((name) => ({ area_id: name, name, aliases: areaAliases[name] ?? [] })),
  };
  const debug = (socket: WebSocket, { id, sentences, device_id: device }: z.infer<typeof debugSchema>) => {
    asked.push(...sentences);
    const readings = sentences.map((sentence) => reads(sentence, device));
    if (readings.includes('silent')) return;
    socket.send(JSON.stringify({ id, type: 'result', success: true, result: { results: readings } }));
  };
  const answer = (socket: WebSocket, message: z.infer<typeof messageSchema>) => {
    const { id, type, access_token } = message;
    if (type === 'auth')
      return socket.send(JSON.stringify({ type: access_token === token ? 'auth_ok' : 'auth_invalid' }));
    if (type === 'conversation/process') return converseOn(socket, message);
    if (type === 'ping') return send(socket, { id, type: 'pong' });
    const listening = listenSchema.safeParse(message);
    if (listening.success) return listens(socket, listening.data);
    const result = results[type]?.();
    if (result) return socket.send(JSON.stringify({ id, type: 'result', success: true, result }));
    debug(socket, debugSchema.parse(message));
  };
  sockets.on('connection', (socket) => {
    socket.send(JSON.stringify({ type: 'auth_required', ha_version: '2026.11.0' }));
    socket.on('message', (data) => answer(socket, messageSchema.parse(JSON.parse(String(data)))));
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
    /** The commands it received, and the sentences it was only asked to read. */
    calls,
    asked,
    services,
    /** The data of each of these services, without the entities. */
    serviceData,
    /** The sounds that its voice devices and players fetched. */
    played,
    /** Every HTTP request, such as "GET /api/states/light.lamp". */
    seen,
    stateOf: (id: string) => things[id]?.state,
    sets(id: string, state: string, attributes: Thing['attributes'] = {}) {
      const thing = things[id];
      if (thing) Object.assign(thing, { state, attributes });
      tell();
    },
    /** Its connections stay open but send no more states. */
    fallsMute() {
      isMute = true;
    },
    /** Closes all of its open connections. */
    hangsUp() {
      for (const socket of sockets.clients) socket.terminate();
    },
    /** Number of clients that it pushes states to. */
    get listenerCount(): number {
      return listeners.size;
    },
    /** A client has received all states; only then does it ask for the names. */
    isListenedTo: () => namesListeners.length > 0,
    renames(id: string, name: string) {
      const thing = things[id];
      if (thing) thing.name = name;
      for (const { socket, id: listener } of namesListeners)
        send(socket, { id: listener, type: 'event', event: { event_type: 'entity_registry_updated' } });
    },
    /** The items of a to-do list; "(done)" follows a completed item. */
    onList: lists.of,
    puts: lists.put,
    /** Its default reply to a call. */
    acts,
    gains(id: string, thing: Thing) {
      things[id] = { ...thing };
      tell();
    },
    loses(id: string) {
      delete things[id];
      tell();
    },
    /** Sets its replies; without an argument it restores the default. */
    plays(next: HomePlay = acts) {
      play = next;
    },
    /** Sets how it reads each sentence without acting; without an argument it restores the default. */
    understands(next: typeof reads = understands) {
      reads = next;
    },
    /** The state it reports: NOT_RUNNING during startup, `gone` before that. */
    is(state: 'RUNNING' | 'NOT_RUNNING' | 'gone') {
      core = state;
    },
    takesToken(next: string) {
      token = next;
      for (const socket of sockets.clients) socket.terminate();
    },
    /** Restores the initial state and clears all records. */
    forget() {
      things = structuredClone(house);
      lists.clear();
      [play, reads, core, token, isMute] = [acts, understands, 'RUNNING', homeToken, false];
      for (const noted of [calls, services, serviceData, asked, seen, played]) noted.length = 0;
      tell();
    },
    stop,
    start: () => listenAgain(server, url),
  };
}

const statesOf = (things: Readonly<Record<string, Thing>>) =>
  Object.fromEntries(
    Object.entries(things).map(([id, { state, attributes }]) => [id, JSON.stringify([state, attributes])]),
  );

/** Tests announce calendars and players in other ways. */
function exposedOf(things: Readonly<Record<string, Thing>>) {
  const ids = Object.keys(things).filter((id) => things[id]?.isHidden !== true);
  return Object.fromEntries(ids.map((id) => [id, { conversation: true }]));
}

/** The players, as the template collects them. */
function speakersOf(things: Readonly<Record<string, Thing>>) {
  const speaking = Object.entries(things).filter(
    ([id, { state }]) => /^(?:assist_satellite|media_player)\./.test(id) && state !== 'unavailable',
  );
  const each = <T>(read: (thing: Thing) => T) => speaking.map(([, thing]) => read(thing));
  return {
    ids: speaking.map(([id]) => id),
    areas: each(({ area }) => area),
    features: each(({ features = 0 }) => features),
    classes: each(({ deviceClass = '' }) => deviceClass),
  };
}

/** Each thing's entry in the registry. An empty alias stands for its name. */
function entriesOf(things: Readonly<Record<string, Thing>>) {
  return Object.fromEntries(
    Object.entries(things).map(([id, { area, aliases = [] }]) => [
      id,
      { aliases: [null, ...aliases], area_id: area },
    ]),
  );
}
