import { z } from 'zod';

/** An address and a token entered on the page. */
export const storedHomeSchema = z.object({ url: z.string(), token: z.string() });
export type StoredHome = z.infer<typeof storedHomeSchema>;

const foundSchema = z.object({ things: z.number(), rooms: z.number(), limited: z.boolean() });
const problemSchema = z.object({ param: z.enum(['url', 'token']), message: z.string() });

/** Result of a worker's attempt to use a Home Assistant. */
export const homeTrialEndSchema = z.union([
  z.object({ found: foundSchema }),
  z.object({ problem: problemSchema }),
]);
export type HomeTrialEnd = z.infer<typeof homeTrialEndSchema>;

const thingSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.string(),
  state: z.string().nullable(),
});

/** The things that can be controlled, by room. */
export const homeThingsSchema = z.object({
  limited: z.boolean(),
  total: z.number(),
  rooms: z.array(z.object({ room: z.string().nullable(), things: z.array(thingSchema) })),
});
export type HomeThings = z.infer<typeof homeThingsSchema>;

/** Longer than any address in a home. */
const maxUrlCharacters = 300;

/**
 * Normalizes a typed address. Home Assistant uses no path, so everything after the port is dropped. Null:
 * invalid, or with a password.
 */
export function homeAddress(typed: string): string | null {
  const text = typed.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (text === '' || text.length > maxUrlCharacters || !URL.canParse(full)) return null;
  const { protocol, hostname, username, password, origin } = new URL(full);
  const isUsable = /^https?:$/.test(protocol) && hostname !== '' && username === '' && password === '';
  return isUsable ? origin : null;
}

/** Trims a token and checks that it fits into a header. Null: invalid. */
export function homeToken(typed: string): string | null {
  const text = typed.trim();
  return /^[\x21-\x7e]+$/.test(text) ? text : null;
}
