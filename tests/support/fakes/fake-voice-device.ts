import { once } from 'node:events';
import { get } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { decodeProtobuf, encodeProtoFields, WireType } from 'esphome-client';
import { waitFor } from '../wait-for.ts';
import { createDeviceFrames, type DeviceFrames } from './device-frames.ts';

/** Messages of ESPHome's native interface, by their numbers (api.proto). */
const types = {
  helloRequest: 1,
  helloResponse: 2,
  connectRequest: 3,
  connectResponse: 4,
  disconnectRequest: 5,
  disconnectResponse: 6,
  pingRequest: 7,
  pingResponse: 8,
  infoRequest: 9,
  infoResponse: 10,
  listRequest: 11,
  listDone: 19,
  statesRequest: 20,
  player: 63,
  playerState: 64,
  playerCommand: 65,
  subscribe: 89,
  request: 90,
  response: 91,
  event: 92,
  sound: 106,
  timer: 115,
  announce: 119,
  announceFinished: 120,
  configurationRequest: 121,
  configuration: 122,
  setConfiguration: 123,
  setKey: 124,
  setKeyResponse: 125,
} as const;

/** The stages of an answer, by their numbers. */
const stages: Readonly<Record<number, string>> = {
  0: 'error',
  1: 'run-start',
  2: 'run-end',
  3: 'stt-start',
  4: 'stt-end',
  5: 'intent-start',
  6: 'intent-end',
  7: 'tts-start',
  8: 'tts-end',
  11: 'vad-start',
  12: 'vad-end',
  100: 'intent-progress',
};

type Fields = ReturnType<typeof decodeProtobuf>;
const number = (field: number, value: number) => ({ fieldNumber: field, value, wireType: WireType.VARINT });
const bytes = (field: number, value: Buffer) => ({
  fieldNumber: field,
  value,
  wireType: WireType.LENGTH_DELIMITED,
});
const text = (field: number, value: string) => bytes(field, Buffer.from(value));
const float = (field: number, value: number) => {
  const four = Buffer.alloc(4);
  four.writeFloatLE(value);
  return { fieldNumber: field, value: four, wireType: WireType.FIXED32 };
};
const key = { fieldNumber: 2, value: fixed32(7), wireType: WireType.FIXED32 };
const textOf = (fields: Fields, field: number) => {
  const found = fields[field]?.[0];
  return Buffer.isBuffer(found) ? found.toString() : '';
};
const numberOf = (fields: Fields, field: number) => {
  const found = fields[field]?.[0];
  return typeof found === 'number' ? found : 0;
};
const read = (payload: Buffer) => decodeProtobuf(payload, { maxFieldsPerMessage: 256 });

interface FakeDeviceOptions {
  name?: string;
  mac?: string;
  /** All features: voice, sound over this connection, timers, announcements, starting conversations. */
  features?: number;
  format?: { format: string; sampleRateHz: number } | null;
  /** Its encryption key in base64. Without one, it is not encrypted. */
  key?: string;
  /**
   * It can be given a key. Older firmware takes it in plain text, newer firmware over a connection with a key
   * of zeros. It may fail to store the key.
   */
  takesKey?: 'plain' | 'sealed' | 'never';
  /** Another program holds the device, so it reports no wake words. */
  isHeld?: boolean;
  /** Fetches an answer as soon as possible. */
  fetches?: boolean;
  /** Stops sending when told to. */
  stops?: boolean;
  /** It is woken in the moment in which Hearth subscribes, and hears this. */
  wokenAtOnce?: Buffer;
}

export type FakeVoiceDevice = Awaited<ReturnType<typeof startFakeVoiceDevice>>;

/**
 * A voice device like ESPHome's firmware: it accepts a connection, wakes, sends sound, and fetches its
 * answer.
 */
export async function startFakeVoiceDevice(options: FakeDeviceOptions = {}) {
  const { isHeld = false, stops = true } = options;
  let { name = 'voice-puck', mac = '02:00:00:00:00:01' } = options;
  let deviceKey = options.key ?? null;
  const { features = 0b111101, format = { format: 'flac', sampleRateHz: 48_000 } } = options;
  let socket: Socket | null = null;
  let frames: DeviceFrames | null = null;
  let connections = 0;
  let subscribed = false;
  let microphone: 'off' | 'asked' | 'on' = 'off';
  let waiting: Buffer = Buffer.alloc(0);
  let url = '';
  let active = ['okay_nabu'];
  const events: { stage: string; about: Record<string, string> }[] = [];
  const timers: { event: number; id: string; name: string; totalS: number; leftS: number }[] = [];
  const announced: { url: string; text: string; listens: boolean }[] = [];
  const volumes: number[] = [];
  const files: Buffer[] = [];
  const servedAtMs: number[] = [];
  let brokenOff = 0;

  const send = (type: number, fields: Parameters<typeof encodeProtoFields>[0] = []): void =>
    frames?.send(type, encodeProtoFields(fields));
  /** Sends chunks of 32 ms, like ESPHome. */
  const sendSound = (samples: Buffer): void => {
    for (let at = 0; at < samples.length; at += 1_024)
      send(types.sound, [bytes(1, samples.subarray(at, at + 1_024))]);
  };
  const fetchAnswer = (from: string): Promise<{ status: number; body: Buffer }> =>
    new Promise((resolve, reject) => {
      get(from, (reply) => {
        const pieces: Buffer[] = [];
        reply.once('data', () => servedAtMs.push(performance.now()));
        reply.on('data', (piece: Buffer) => pieces.push(piece));
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, body: Buffer.concat(pieces) }));
        reply.on('error', reject);
      }).on('error', reject);
    });
  const play = (from: string): void => {
    if (options.fetches === false) return;
    const lost = () => {
      brokenOff += 1;
    };
    void fetchAnswer(from)
      .then(({ body }) => void files.push(body), lost)
      .then(() => send(types.announceFinished, [number(1, 1)]));
  };
  const toldEvent = (fields: Fields): void => {
    const stage = stages[numberOf(fields, 1)] ?? 'unknown';
    const pairs = (fields[2] ?? []).filter((each) => Buffer.isBuffer(each)).map(read);
    const about = Object.fromEntries(pairs.map((pair) => [textOf(pair, 1), textOf(pair, 2)]));
    events.push({ stage, about });
    if (stage === 'run-start') url = about['url'] ?? '';
    if (stage === 'intent-progress' && about['tts_start_streaming'] === '1') play(url);
    if (stops && (stage === 'vad-end' || stage === 'error')) microphone = 'off';
  };
  const takers: Readonly<Record<number, (fields: Fields) => void>> = {
    [types.helloRequest]: () =>
      send(types.helloResponse, [number(1, 1), number(2, 12), text(3, 'fake'), text(4, name)]),
    [types.connectRequest]: () => send(types.connectResponse),
    [types.disconnectRequest]: () => {
      send(types.disconnectResponse);
      socket?.end();
    },
    [types.pingRequest]: () => send(types.pingResponse),
    [types.infoRequest]: () =>
      send(types.infoResponse, [
        text(2, name),
        text(3, mac),
        text(4, '2026.10.0'),
        text(6, 'Voice Puck'),
        number(17, features),
        number(19, options.takesKey || options.key ? 1 : 0),
        number(26, options.takesKey === 'sealed' && deviceKey === null ? 1 : 0),
      ]),
    [types.listRequest]: () => {
      const wanted = format
        ? [text(1, format.format), number(2, format.sampleRateHz), number(3, 1), number(4, 1)]
        : [];
      send(types.player, [
        text(1, 'speaker'),
        key,
        text(3, 'Speaker'),
        ...(format ? [bytes(9, encodeProtoFields(wanted))] : []),
      ]);
      send(types.listDone);
    },
    [types.statesRequest]: () => sendVolume(0.4),
    [types.playerCommand]: (fields) => {
      const volume = fields[5]?.[0];
      if (Buffer.isBuffer(volume)) volumes.push(Math.round(volume.readFloatLE() * 100));
    },
    [types.subscribe]: (fields) => {
      subscribed = numberOf(fields, 1) === 1;
      if (subscribed && options.wokenAtOnce) wake(options.wokenAtOnce);
    },
    [types.response]: (fields) => {
      if (microphone !== 'asked' || numberOf(fields, 2) === 1) return;
      microphone = 'on';
      sendSound(waiting);
      waiting = Buffer.alloc(0);
    },
    [types.event]: toldEvent,
    [types.timer]: (fields) => {
      const [event, totalS, leftS] = [numberOf(fields, 1), numberOf(fields, 4), numberOf(fields, 5)];
      timers.push({ event, id: textOf(fields, 2), name: textOf(fields, 3), totalS, leftS });
    },
    [types.announce]: (fields) => {
      announced.push({ url: textOf(fields, 1), text: textOf(fields, 2), listens: numberOf(fields, 4) === 1 });
      play(textOf(fields, 1));
    },
    [types.setConfiguration]: (fields) => {
      active = (fields[1] ?? []).map(String);
    },
    [types.setKey]: (fields) => {
      const given = textOf(fields, 1);
      const mayChange = options.takesKey === 'plain' || (options.takesKey === 'sealed' && frames?.isSealed);
      // The firmware decodes base64, and clears its key when it is given an empty one.
      const isTaken = mayChange === true && /^([A-Za-z0-9+/]{43}=)?$/.test(given);
      send(types.setKeyResponse, [number(1, isTaken ? 1 : 0)]);
      if (!isTaken) return;
      deviceKey = given || null;
      send(types.disconnectRequest);
    },
    [types.configurationRequest]: () => {
      const offered = ['Okay Nabu', 'Hey Jarvis'].map((words) =>
        bytes(1, encodeProtoFields([text(1, words.toLowerCase().replace(' ', '_')), text(2, words)])),
      );
      const told = [...offered, ...active.map((each) => text(2, each)), number(3, 1)];
      send(types.configuration, isHeld ? [] : told);
    },
  };
  const wake = (samples: Buffer, wakeWord = `Okay ${port}`): void => {
    waiting = samples;
    microphone = 'asked';
    send(types.request, [number(1, 1), text(5, wakeWord)]);
  };
  const take = (type: number, payload: Buffer): void => takers[type]?.(read(payload));
  const sendVolume = (volume: number): void =>
    send(types.playerState, [{ ...key, fieldNumber: 1 }, number(2, 1), float(3, volume)]);

  const server = createServer((connected) => {
    socket = connected;
    connections += 1;
    const mine = createDeviceFrames({
      name,
      mac,
      key: deviceKey,
      isProvisionable: options.takesKey === 'sealed',
      socket: connected,
      take,
    });
    frames = mine;
    connected.on('error', () => undefined);
    connected.on('close', () => {
      if (socket === connected) [socket, subscribed, microphone] = [null, false, 'off'];
    });
    connected.on('data', mine.push);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  return {
    address: `127.0.0.1:${port}`,
    events,
    timers,
    announced,
    volumes,
    files,
    /** When the first byte of each answer arrived, in ms of performance.now(). */
    servedAtMs,
    /** Number of answers that ended before they were complete. */
    get brokenOff() {
      return brokenOff;
    },
    fetchAnswer,
    sendSound,
    sendVolume,
    get url() {
      return url;
    },
    get connections() {
      return connections;
    },
    active: () => active,
    /** Its encryption key in base64; null if it has none. */
    key: () => deviceKey,
    stages: () => events.map(({ stage }) => stage),
    /** Resolves when Hearth has subscribed to the device. */
    taken: () => waitFor(async () => subscribed, { what: 'a subscription' }),
    /** Plays a wake word and then these samples. */
    wake,
    /** Acts as a press on the button. */
    stop: () => send(types.request, [number(1, 0)]),
    stage: (stage: string) =>
      waitFor(async () => events.find((each) => each.stage === stage) ?? false, { what: stage }),
    forget(): void {
      for (const list of [events, timers, announced, volumes, files, servedAtMs]) list.length = 0;
    },
    rename(other: string): void {
      name = other;
    },
    /** Another device answers at the address from the next connection on. */
    replace(otherMac: string): void {
      mac = otherMac;
    },
    unplug: () => socket?.destroy(),
    async end(): Promise<void> {
      socket?.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function fixed32(value: number): Buffer {
  const four = Buffer.alloc(4);
  four.writeUInt32LE(value);
  return four;
}
