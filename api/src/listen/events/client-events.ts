import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { parseJson } from '../../json.ts';
import { faultOf } from './event-fault.ts';
import type { ClientEvent } from './listen-events.ts';

/** An event that was rejected, with the reason. */
interface BadEvent {
  error: AppError;
  event: string;
  eventId: string | null;
}

/** Parses a text frame from a satellite. */
export type EventReader = (text: string) => { event: ClientEvent } | BadEvent;

const maxIdCharacters = 100;
const anyEvent = z.looseObject({ type: z.string() });
const ownId = z.string().max(maxIdCharacters).nullable().catch(null);

/** Accepts the client events of listen-events.schema.json and drops unknown fields. */
export function createEventReader(schema: URL): EventReader {
  const checkFor = loadChecks(schema);
  return (text) => {
    const given = anyEvent.safeParse(parseJson(text)).data;
    if (given === undefined) {
      const error = invalid('A text frame holds one event: a JSON object with a "type".');
      return { error, event: 'text', eventId: null };
    }
    const bad = { event: given.type.slice(0, maxIdCharacters), eventId: ownId.parse(given['event_id']) };
    const check = checkFor(given.type);
    if (!check) return { ...bad, error: invalid(`There is no event "${bad.event}".`, 'type') };
    if (check(given)) return { event: tidied(given) };
    const { field, what } = faultOf(check.errors ?? []);
    return { ...bad, error: invalid(`${field || 'The event'}: ${what}`, field || undefined) };
  };
}

const documentSchema = z.looseObject({
  $defs: z.looseObject({ ClientEvent: z.object({ oneOf: z.array(z.object({ $ref: z.string() })) }) }),
});

/** Returns the validator of an event type. It is compiled for the first event. */
function loadChecks(schema: URL): (type: string) => ValidateFunction<ClientEvent> | undefined {
  const document = documentSchema.parse(JSON.parse(readFileSync(schema, 'utf8')));
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, verbose: true, removeAdditional: 'all' });
  addFormats.default(ajv);
  ajv.addSchema(document, 'listen');
  const known = new Map(
    document.$defs.ClientEvent.oneOf.map(({ $ref }) => [$ref.slice('#/$defs/'.length), `listen${$ref}`]),
  );
  return (type) => {
    const reference = known.get(type);
    return reference === undefined ? undefined : ajv.getSchema<ClientEvent>(reference);
  };
}

/** Trims names and rooms. Empty ones count as not given. */
function tidied(event: ClientEvent): ClientEvent {
  if (event.type !== 'session.update') return event;
  const { client, room, ...others } = event.session;
  const session = {
    ...others,
    ...(client !== undefined && { client: client?.trim() || null }),
    ...(room !== undefined && { room: room?.trim() || null }),
  };
  return { ...event, session };
}

function invalid(message: string, param?: string): AppError {
  return new AppError('invalid_request', message, param === undefined ? {} : { param });
}
