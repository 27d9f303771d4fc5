import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { z } from 'zod';
import type { ServerEvent } from '../../../api/src/listen/events/listen-events.ts';

const reference = z.object({ $ref: z.string() });
const groupSchema = z.object({ oneOf: z.array(reference) });
const eventSchema = z.object({ examples: z.array(z.looseObject({ type: z.string() })).min(1) });

export type Side = 'server' | 'client';

export const listenSchema = new URL('../../../listen-events.schema.json', import.meta.url);

const document = z
  .looseObject({ $defs: z.looseObject({ ServerEvent: groupSchema, ClientEvent: groupSchema }) })
  .parse(JSON.parse(readFileSync(listenSchema, 'utf8')));

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

/** The schema's examples of an event. */
export function examplesOf(type: string): readonly { type: string }[] {
  return eventSchema.parse(document.$defs[type]).examples;
}

/** The reason why a value is not an event of this side; null if it is one. */
export function faultOfEvent(side: Side, value: unknown): string | null {
  const { type } = z.looseObject({ type: z.string() }).safeParse(value).data ?? {};
  if (type === undefined || !eventTypes[side].includes(type))
    return `no event of the ${side} has the type ${type}`;
  const validate = ajv.getSchema(`listen#/$defs/${type}`);
  if (!validate) throw new Error(`${type} is not in the schema`);
  return validate(value) ? null : ajv.errorsText(validate.errors);
}

/** Parses a text frame of the server as an event; throws if it is none. */
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
