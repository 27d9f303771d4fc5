import { z } from 'zod';

const engineSchema = z.object({
  state: z.string(),
  reason: z.string().nullable(),
  model: z.string().nullable(),
  download: z.object({ bytes_done: z.number(), bytes_total: z.number() }).optional(),
});
const healthSchema = z.object({
  status: z.enum(['ready', 'starting', 'degraded']),
  version: z.string(),
  uptime_s: z.number(),
  note: z.string().nullable(),
  engines: z.record(z.string(), engineSchema),
  redis: z.object({ state: z.string(), reason: z.string().nullable() }),
  warnings: z.array(z.object({ message: z.string(), advice: z.string() })),
  workers: z.number(),
});

/** The fields of /health that the terminal shows. */
export type Health = z.infer<typeof healthSchema>;
export type EngineHealth = z.infer<typeof engineSchema>;

const maxMs = 5_000;

/** Reads the health of an assistant. Null: no valid answer in time. */
export async function readHealth(address: string): Promise<Health | null> {
  try {
    const answer = await fetch(`${address}/health`, { signal: AbortSignal.timeout(maxMs) });
    return healthSchema.parse(await answer.json());
  } catch {
    return null;
  }
}
