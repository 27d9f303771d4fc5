import { speechRateHz } from '../../audio/speech-rate.ts';
import type { components } from './event-types.ts';

// listen-events.schema.json describes the events; `npm run types` generates event-types.ts from it.
type Schemas = components['schemas'];

/** An event that the server sends. */
export type ServerEvent = Schemas['ServerEvent'];
/** An event that a satellite may send. */
export type ClientEvent = Schemas['ClientEvent'];

export type ResponseDone = Schemas['response.done'];
export type ErrorEvent = Schemas['error'];
/** The session fields that a satellite may change. */
export type SessionChanges = Schemas['session.update']['session'];

export type SessionState = Schemas['Session'];
export type WakeMode = Schemas['WakeMode'];
export type WakeChange = Schemas['wake.changed'];
export type Endpointing = Schemas['Endpointing'];
export type SpeakerState = Schemas['Speaker'];
export type RunningTimer = Schemas['Timer'];
export type CancelReason = Schemas['CancelReason'];
export type ResponseTimings = Schemas['Timings'];

export type AudioFormat = Schemas['AudioFormat'];

/** Audio format in both directions. */
export const audioFormat = {
  encoding: 'pcm_s16le',
  sample_rate_hz: speechRateHz,
  channels: 1,
} as const satisfies AudioFormat;
