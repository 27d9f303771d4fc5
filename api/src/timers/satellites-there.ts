import { z } from 'zod';
import type { Place } from './timer.ts';

/** The satellites that are connected, whichever process holds them, by session. */
export const connectedKey = 'hearth:connected-satellites';

/** A process tells so often that its satellites are still there. */
export const tellConnectedEveryMs = 5_000;
/** One of which nothing was heard for so long has gone with its process. */
const staleMs = 3 * tellConnectedEveryMs;

const connectedSchema = z.object({
  room: z.string().nullable(),
  conversation: z.string(),
  /** Unix time in ms. */
  seenAt: z.number(),
});

export interface ConnectedSatellite extends Place {
  sessionId: string;
}

/** What stands in Redis for a satellite. */
export function connectedRecord({ room, conversation }: Place, seenAt: number): string {
  return JSON.stringify({ room, conversation, seenAt });
}

/** The satellites of all processes. `now` is Unix time in ms. */
export function readConnected(found: Readonly<Record<string, string>>, now: number): ConnectedSatellite[] {
  return Object.entries(found).flatMap(([sessionId, record]) => {
    const { data } = connectedSchema.safeParse(parseJson(record));
    if (data === undefined || data.seenAt < now - staleMs) return [];
    return [{ sessionId, room: data.room, conversation: data.conversation }];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // the schema tells
  }
}
