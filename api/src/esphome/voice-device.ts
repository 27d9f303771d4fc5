import { z } from 'zod';

/** The port of ESPHome's native interface. */
export const usualPort = 6053;

/** A voice device with ESPHome's firmware that the household has adopted. */
export interface VoiceDevice {
  id: string;
  /** The name of the satellite that it is: of its conversation, its volume, its announcements. */
  name: string;
  room: string | null;
  /** A name or an address in the network, with a port if it is not the usual one. */
  address: string;
  /** Its encryption key, as base64; null: it has none. Shown to nobody. */
  key: string | null;
  /** By which the device is known again, whatever its address or name; null: it was never reached. */
  mac: string | null;
  /** The wake words that it is to listen for; null: those that it has. */
  wakeWords: string[] | null;
}

export const voiceDeviceSchema: z.ZodType<VoiceDevice> = z.object({
  id: z.string(),
  name: z.string(),
  room: z.string().nullable(),
  address: z.string(),
  key: z.string().nullable(),
  mac: z.string().nullable(),
  wakeWords: z.array(z.string()).nullable(),
});

export interface WakeWordChoice {
  id: string;
  words: string;
  active: boolean;
}

/** How the connection to a device is, as the process that holds it tells. */
export interface VoiceDeviceState {
  state: 'connecting' | 'connected' | 'failed';
  /** Why it is not connected, or what is missing. A sentence that a person can act on. */
  problem: string | null;
  model: string | null;
  firmware: string | null;
  encrypted: boolean;
  wakeWords: WakeWordChoice[];
}

export const voiceDeviceStateSchema: z.ZodType<VoiceDeviceState> = z.object({
  state: z.enum(['connecting', 'connected', 'failed']),
  problem: z.string().nullable(),
  model: z.string().nullable(),
  firmware: z.string().nullable(),
  encrypted: z.boolean(),
  wakeWords: z.array(z.object({ id: z.string(), words: z.string(), active: z.boolean() })),
});

export const unknownState: VoiceDeviceState = {
  state: 'connecting',
  problem: null,
  model: null,
  firmware: null,
  encrypted: false,
  wakeWords: [],
};

export interface HostAndPort {
  host: string;
  port: number;
}

/** An address taken apart; null: it is none. */
export function readAddress(text: string): HostAndPort | null {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(text);
  const [, host = '', port = String(usualPort)] = found ?? [];
  if (found === null || Number(port) < 1 || Number(port) > 65_535) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Whether it is 32 bytes as base64, as ESPHome's keys are. */
export function isKey(text: string): boolean {
  return /^[A-Za-z0-9+/]{43}=$/.test(text);
}
