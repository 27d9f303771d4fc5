import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';

const reference = z.object({ $ref: z.string() });
const groupSchema = z.object({ oneOf: z.array(reference) });
const eventSchema = z.object({ examples: z.array(z.looseObject({ type: z.string() })).min(1) });

interface Turn {
  turn_id: string;
}
interface MaybeTurn {
  turn_id: string | null;
}
interface Session {
  id: string;
  client: string | null;
  room: string | null;
  endpointing: 'server' | 'manual';
  end_silence_ms: number;
  timers: Timer[];
  limits: {
    max_utterance_ms: number;
    max_frame_bytes: number;
    max_audio_ahead_ms: number;
    ping_interval_ms: number;
  };
}
interface Timer {
  id: string;
  name: string | null;
  duration_ms: number;
  remaining_ms: number;
}

/** What the server sends, as far as tests look at it; the schema has the rest. */
export type ServerEvent =
  | { type: 'session.created' | 'session.updated'; session: Session }
  | ({ type: 'input_audio_buffer.speech_started'; audio_start_ms: number } & Turn)
  | ({ type: 'input_audio_buffer.speech_stopped'; audio_end_ms: number } & Turn)
  | ({ type: 'input_audio_buffer.committed'; audio_duration_ms: number } & Turn)
  | ({ type: 'input_audio_buffer.cleared' } & MaybeTurn)
  | ({
      type: `conversation.item.input_audio_transcription.${'delta' | 'completed'}`;
      transcript: string;
    } & Turn)
  | ({ type: 'response.created' | 'response.output_audio.started' } & Turn)
  | ({ type: 'response.output_audio_transcript.delta'; delta: string } & Turn)
  | ({ type: 'response.output_audio.done'; audio_duration_ms: number } & Turn)
  | ({
      type: 'response.done';
      status: 'completed' | 'cancelled' | 'failed';
      reason: string | null;
      via: string | null;
      reply: string;
      timings: Record<string, number>;
    } & Turn)
  | ({ type: 'timer.started' | 'timer.finished'; timer: Timer } & MaybeTurn)
  | ({
      type: 'error';
      event: string | null;
      event_id: string | null;
      error: { message: string; type: string; code: string; param: string | null };
    } & MaybeTurn);

export type Side = 'server' | 'client';

const document = z
  .looseObject({ $defs: z.looseObject({ ServerEvent: groupSchema, ClientEvent: groupSchema }) })
  .parse(JSON.parse(readFileSync(new URL('../../listen-events.schema.json', import.meta.url), 'utf8')));

const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, 'listen');

const typesOf = ({ oneOf }: z.infer<typeof groupSchema>) =>
  oneOf.map(({ $ref }) => $ref.slice('#/$defs/'.length));

/** The types of event that either side may send. */
export const eventTypes: Readonly<Record<Side, readonly string[]>> = {
  server: typesOf(document.$defs.ServerEvent),
  client: typesOf(document.$defs.ClientEvent),
};

/** The examples that the schema gives of an event. */
export function examplesOf(type: string): readonly { type: string }[] {
  return eventSchema.parse(document.$defs[type]).examples;
}

/** What keeps a value from being an event of this side; null when it is one. */
export function faultOfEvent(side: Side, value: unknown): string | null {
  const { type } = z.looseObject({ type: z.string() }).safeParse(value).data ?? {};
  if (type === undefined || !eventTypes[side].includes(type))
    return `no event of the ${side} has the type ${type}`;
  const validate = ajv.getSchema(`listen#/$defs/${type}`);
  if (!validate) throw new Error(`${type} is not in the schema`);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** A text frame of the server as the event that it must be. */
export function readServerEvent(text: string): ServerEvent {
  const value: unknown = JSON.parse(text);
  if (!isServerEvent(value)) {
    throw new Error(`a frame against the schema: ${faultOfEvent('server', value)}\n${text}`);
  }
  return value;
}

function isServerEvent(value: unknown): value is ServerEvent {
  return faultOfEvent('server', value) === null;
}
