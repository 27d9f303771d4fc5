import { z } from 'zod';

/** An address and a token that were given on the page. */
export const keptHomeSchema = z.object({ url: z.string(), token: z.string() });
export type KeptHome = z.infer<typeof keptHomeSchema>;

const foundSchema = z.object({ things: z.number(), rooms: z.number(), limited: z.boolean() });
const problemSchema = z.object({ param: z.enum(['url', 'token']), message: z.string() });

/** What a worker found when it tried a Home Assistant, or what is wrong. */
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

/** What can be commanded, by room. */
export const homeThingsSchema = z.object({
  limited: z.boolean(),
  total: z.number(),
  rooms: z.array(z.object({ room: z.string().nullable(), things: z.array(thingSchema) })),
});
export type HomeThings = z.infer<typeof homeThingsSchema>;

/** Longer than any address in a home. */
const maxUrlCharacters = 300;

/**
 * The address as people type or copy it, as one that can be asked: Home Assistant knows no folders, so what stands behind the port is left out. Null:
 * it is none, or has a password in it.
 */
export function homeAddress(typed: string): string | null {
  const text = typed.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (text === '' || text.length > maxUrlCharacters || !URL.canParse(full)) return null;
  const { protocol, hostname, username, password, origin } = new URL(full);
  const isUsable = /^https?:$/.test(protocol) && hostname !== '' && username === '' && password === '';
  return isUsable ? origin : null;
}

/** A token travels in a header. */
export function homeToken(typed: string): string | null {
  const text = typed.trim();
  return /^[\x21-\x7e]+$/.test(text) ? text : null;
}
