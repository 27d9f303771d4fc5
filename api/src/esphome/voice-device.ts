import { z } from 'zod';

/** Default port of ESPHome's native API. */
export const usualPort = 6053;

/** An adopted voice device with ESPHome firmware. */
export interface VoiceDevice {
  id: string;
  /** Its name as a satellite, which its conversation, volume and announcements use. */
  name: string;
  room: string | null;
  /** Host name or address, with a port unless it is the default. */
  address: string;
  /** Its encryption key in base64. Null: it has none. Never shown. */
  key: string | null;
  keyOrigin: KeyOrigin;
  /** Identifies the device when its address or name changes. Null: it was never reached. */
  mac: string | null;
  /** The wake words to activate. Null: leave them unchanged. */
  wakeWords: string[] | null;
}

/**
 * `owner`: entered, or none was entered. `offered`: we made it, and the device may not use it yet. `ours`: we
 * made it, and the device uses it. `refused`: the device took no key from us, so it has none.
 */
export type KeyOrigin = z.infer<typeof keyOriginSchema>;
const keyOriginSchema = z.enum(['owner', 'offered', 'ours', 'refused']);

export const voiceDeviceSchema: z.ZodType<VoiceDevice> = z.object({
  id: z.string(),
  name: z.string(),
  room: z.string().nullable(),
  address: z.string(),
  key: z.string().nullable(),
  keyOrigin: keyOriginSchema.default('owner'),
  mac: z.string().nullable(),
  wakeWords: z.array(z.string()).nullable(),
});

export interface WakeWordChoice {
  id: string;
  words: string;
  active: boolean;
}

/** State of a device connection, as reported by the process that holds it. */
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

/** Parses an address. Null: invalid. */
export function readAddress(text: string): HostAndPort | null {
  const found = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i.exec(text);
  const [, host = '', port = String(usualPort)] = found ?? [];
  if (found === null || Number(port) < 1 || Number(port) > 65_535) return null;
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}
