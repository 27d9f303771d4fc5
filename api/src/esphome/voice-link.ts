import {
  EspHomeClient,
  entityId,
  MediaPlayerFormatPurpose,
  VoiceAssistantEvent,
  VoiceAssistantSubscribeFlag,
  VoiceAssistantTimerEvent,
} from 'esphome-client';
import { z } from 'zod';
import { LinkProblem, problemOf } from './link-problem.ts';
import type { HostAndPort, WakeWordChoice } from './voice-device.ts';

const connectMs = 10_000;
const configurationMs = 5_000;
/** A silent device is pinged after this interval, and disconnected when it stays silent. */
const keepAlive = { intervalMs: 10_000, stallTimeoutMs: 25_000 };
/** Larger than any message of a voice device. */
const limits = { frameBytes: 64 * 1_024, waitingBytes: 256 * 1_024, fields: 256 };

/** The report of a device about itself. */
interface DeviceFacts {
  name: string;
  mac: string;
  model: string | null;
  firmware: string | null;
  encrypted: boolean;
  /** It has no encryption key, and can be given one. */
  takesKey: boolean;
  /** It shows timers and rings them. */
  showsTimers: boolean;
  announces: boolean;
  startsConversations: boolean;
  /** The audio format that it requests: `flac`, `wav` or `mp3`, with its rate. Null: not reported. */
  sound: { format: string; sampleRateHz: number } | null;
}

type ShownChange = 'started' | 'updated' | 'cancelled' | 'finished';
export interface DeviceTimer {
  id: string;
  name: string;
  totalS: number;
  leftS: number;
  isRunning: boolean;
}

const stages = {
  runStart: VoiceAssistantEvent.RUN_START,
  runEnd: VoiceAssistantEvent.RUN_END,
  listening: VoiceAssistantEvent.STT_START,
  speechStarted: VoiceAssistantEvent.STT_VAD_START,
  speechEnded: VoiceAssistantEvent.STT_VAD_END,
  transcript: VoiceAssistantEvent.STT_END,
  thinking: VoiceAssistantEvent.INTENT_START,
  progress: VoiceAssistantEvent.INTENT_PROGRESS,
  thought: VoiceAssistantEvent.INTENT_END,
  speaking: VoiceAssistantEvent.TTS_START,
  spoken: VoiceAssistantEvent.TTS_END,
  failed: VoiceAssistantEvent.ERROR,
} as const;
type AnswerStage = keyof typeof stages;

const timerEvents = {
  started: VoiceAssistantTimerEvent.STARTED,
  updated: VoiceAssistantTimerEvent.UPDATED,
  cancelled: VoiceAssistantTimerEvent.CANCELLED,
  finished: VoiceAssistantTimerEvent.FINISHED,
} as const;

/** Events from a device. */
interface LinkEvents {
  /** The wake word or a button: someone starts to speak. */
  onRequest: (wakeWord: string) => void;
  /** Someone has stopped it on the device. */
  stopped: () => void;
  /** 16-bit mono samples at 16 kHz. */
  sound: (samples: Buffer) => void;
  /** Playback of an announcement is over. */
  played: () => void;
  /** Volume of its loudspeaker, in percent. */
  volume: (percent: number) => void;
  /** The connection is over. */
  gone: (why: string | undefined) => void;
}

export type VoiceLink = Awaited<ReturnType<typeof openVoiceLink>>;

interface LinkOptions extends HostAndPort {
  key: string | null;
  signal: AbortSignal;
  on: LinkEvents;
}

/** We log errors ourselves. */
const silent = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/**
 * Connects to one device through ESPHome's native API. This file and `device-key.ts` use the library.
 * Rejects with LinkProblem.
 */
export async function openVoiceLink({ host, port, key, signal, on }: LinkOptions) {
  const client = new EspHomeClient({
    host,
    port,
    psk: key,
    clientId: 'Hearth',
    reconnect: false,
    logger: silent,
    connectTimeoutMs: connectMs,
    keepAlive,
    maxFrameBytes: limits.frameBytes,
    maxRecvBufferBytes: limits.waitingBytes,
    maxFieldsPerMessage: limits.fields,
  });
  const close = (): Promise<void> => client.disconnectAsync().catch(() => undefined);
  await client.connect({ signal }).catch((error: unknown) => {
    throw problemOf(error);
  });
  try {
    return await serve({ client, key, on, close });
  } catch (error) {
    await close();
    throw problemOf(error);
  }
}

interface ServeOptions {
  client: EspHomeClient;
  key: string | null;
  on: LinkEvents;
  close: () => Promise<void>;
}

async function serve({ client, key, on, close }: ServeOptions) {
  const facts = factsOf(client, key);
  const player = playerOf(client);
  const voice = client.voiceAssistant;
  client.on('voiceAssistantRequest', ({ start, wakeWordPhrase }) => {
    if (start) on.onRequest(wakeWordPhrase ?? '');
    else on.stopped();
  });
  client.on('voiceAssistantAudio', ({ data }) => on.sound(data));
  client.on('voiceAssistantAnnounceFinished', on.played);
  client.on('media_player', ({ volume }) => {
    if (typeof volume === 'number') on.volume(Math.round(volume * 100));
  });
  client.on('disconnect', on.gone);
  voice.subscribe(VoiceAssistantSubscribeFlag.API_AUDIO);
  const wakeWords = await wakeWordsOf(client).catch(() => []);

  return {
    facts,
    wakeWords,
    /** Accepts the device's request, so that it sends its sound. */
    accept: (): void => voice.respondToRequest(),
    /** Reports the progress of an answer. */
    tell: (stage: AnswerStage, about: Readonly<Record<string, string>> = {}): void =>
      voice.sendEvent(
        stages[stage],
        Object.entries(about).map(([name, value]) => ({ name, value })),
      ),
    /** Plays an announcement. `played` reports its end. */
    announce: (said: { url: string; text: string; listens: boolean }): void => {
      voice
        .announce({ mediaId: said.url, text: said.text, startConversation: said.listens }, { timeoutMs: 1 })
        // The library also waits for the end, but we use `played`.
        .catch(() => undefined);
    },
    timer: (change: ShownChange, { id, name, totalS, leftS, isRunning }: DeviceTimer): void =>
      voice.sendTimerEvent({
        eventType: timerEvents[change],
        timerId: id,
        name,
        totalSeconds: totalS,
        secondsLeft: leftS,
        isActive: isRunning,
      }),
    setVolume: (percent: number): void => {
      if (player !== null)
        client.command(entityId('media_player', player.objectId), { volume: percent / 100 });
    },
    setWakeWords: (ids: readonly string[]): void => voice.setActiveWakeWords([...ids]),
    /** Rejects if the device does not report them. */
    wakeWordsNow: () => wakeWordsOf(client),
    close,
  };
}

function factsOf(client: EspHomeClient, key: string | null): DeviceFacts {
  if (key !== null && !client.isEncrypted)
    throw new LinkProblem(
      'The device does not use encryption. Remove the encryption key, or check the address.',
    );
  const { name, macAddress, model, esphomeVersion, apiEncryptionSupported } = client.deviceInfo() ?? {};
  const {
    supported,
    apiAudio,
    announcements,
    startConversation,
    timerEvents: showsTimers,
  } = client.capabilities().voiceAssistant;
  if (!supported) throw new LinkProblem('This ESPHome device has no voice assistant.');
  if (!apiAudio)
    throw new LinkProblem('The firmware of this device is too old: it sends its sound by UDP. Update it.');
  if (!name || !macAddress) throw new LinkProblem('The device does not report its name or MAC address.');
  return {
    name,
    mac: macAddress,
    model: model || null,
    firmware: esphomeVersion || null,
    encrypted: client.isEncrypted,
    takesKey: apiEncryptionSupported === true && !client.isEncrypted,
    showsTimers,
    announces: announcements,
    startsConversations: startConversation,
    sound: soundOf(playerOf(client)),
  };
}

function playerOf(client: EspHomeClient) {
  for (const entity of client.getEntitiesWithIds()) if (entity.type === 'media_player') return entity;
  return null;
}

const formatsSchema = z.array(
  z.object({ format: z.string(), sampleRate: z.number().optional(), purpose: z.number().optional() }),
);

/** A device may want another format for announcements than for music. */
function soundOf(player: ReturnType<typeof playerOf>): DeviceFacts['sound'] {
  const formats = formatsSchema.safeParse(player?.supportedFormats ?? []).data ?? [];
  const wanted =
    formats.find(({ purpose }) => purpose === MediaPlayerFormatPurpose.ANNOUNCEMENT) ?? formats[0];
  if (!wanted?.format) return null;
  return { format: wanted.format, sampleRateHz: wanted.sampleRate || 48_000 };
}

/**
 * The wake words of the device. Empty: it wakes by a button, or another program holds it and receives them
 * instead.
 */
async function wakeWordsOf(client: EspHomeClient): Promise<WakeWordChoice[]> {
  const configuration = await client.voiceAssistant.configuration({
    refresh: true,
    timeoutMs: configurationMs,
  });
  return configuration.availableWakeWords.map(({ id, wakeWord }) => ({
    id,
    words: wakeWord,
    active: configuration.activeWakeWords.includes(id),
  }));
}
