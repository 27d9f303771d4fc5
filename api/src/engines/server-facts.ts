import { z } from 'zod';
import type { ServerFacts } from '../status/engine-status.ts';
import { type EngineClient, EngineError } from './engine-client.ts';

/** No caller waits for these facts, and a busy engine answers late. */
const factIdleMs = 5_000;

export interface Described {
  http: EngineClient;
  baseUrl: string;
  apiKey?: string | undefined;
  signal: AbortSignal;
}

/** For a server that reports nothing about itself, such as Piper. */
export const unknownFacts: ServerFacts = { version: null, memory: null, can: { load: false, unload: false } };

const propsSchema = z.object({
  build_info: z.string().nullish(),
  role: z.string().nullish(),
  is_sleeping: z.boolean().nullish(),
  total_slots: z.number().nullish(),
  default_generation_settings: z.object({ n_ctx: z.number() }).nullish(),
});
const slotsSchema = z.array(
  z.object({ is_processing: z.boolean().default(false), n_prompt_tokens: z.number().default(0) }),
);
const modelsSchema = z.object({
  data: z.array(z.object({ meta: z.object({ size: z.number().optional() }).nullish() })),
});

/** llama.cpp's description of itself; other language model servers have none. */
export async function describeLlm(described: Described): Promise<ServerFacts> {
  const props = await fetchFact(described, '/props', propsSchema);
  if (!props?.build_info) return unknownFacts;
  const isRouter = props.role === 'router';
  const can = { load: isRouter, unload: isRouter };
  // Asking for the slots would wake a sleeping model.
  const slots = props.is_sleeping || isRouter ? undefined : await fetchFact(described, '/slots', slotsSchema);
  const models = await fetchFact(described, '/v1/models', modelsSchema);
  return {
    version: props.build_info,
    can,
    memory: {
      residentBytes: null,
      modelBytes: props.is_sleeping ? 0 : (models?.data[0]?.meta?.size ?? null),
      slots: props.total_slots ?? null,
      slotsBusy: slots ? slots.filter((slot) => slot.is_processing).length : null,
      contextTokens: props.default_generation_settings?.n_ctx ?? null,
      cachedTokens: slots ? slots.reduce((sum, slot) => sum + slot.n_prompt_tokens, 0) : null,
      device: null,
    },
  };
}

const healthSchema = z.object({
  version: z.string(),
  device: z.string().nullable(),
  compute_type: z.string().nullable(),
});
const loadedSchema = z.object({ models: z.array(z.string()) });

/** The description that our own speech recognition gives; speaches only reports that it can load a model. */
export async function describeStt(described: Described): Promise<ServerFacts> {
  const health = await fetchFact(described, '/health', healthSchema);
  if (!health) {
    // Never unload: speaches 0.8.3 hangs for good when it unloads a model.
    const loaded = await fetchFact(described, '/api/ps', loadedSchema);
    return { ...unknownFacts, can: { load: loaded !== undefined, unload: false } };
  }
  const metrics = await text(described, '/metrics').catch(() => '');
  const resident = /^process_resident_memory_bytes (\S+)$/m.exec(metrics)?.[1];
  const device = [health.device, health.compute_type].filter(Boolean).join(', ');
  return {
    ...unknownFacts,
    version: health.version,
    memory: { ...noMemory, residentBytes: resident ? Number(resident) : null, device: device || null },
  };
}

const noMemory = {
  residentBytes: null,
  modelBytes: null,
  slots: null,
  slotsBusy: null,
  contextTokens: null,
  cachedTokens: null,
};

/** An answer in the known shape; undefined for another shape or no answer. */
async function fetchFact<T>(
  described: Described,
  path: string,
  schema: z.ZodType<T>,
): Promise<T | undefined> {
  const { http } = described;
  try {
    return schema.safeParse(await http.json(callOf(described, path))).data;
  } catch (error) {
    if (error instanceof EngineError && (error.status !== undefined || error.failure === 'broken'))
      return undefined;
    throw error;
  }
}

async function text(described: Described, path: string): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of described.http.stream(callOf(described, path))) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function callOf({ baseUrl, apiKey, signal }: Described, path: string) {
  const headers = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  return { url: `${baseUrl}${path}`, headers, signal, idleMs: factIdleMs };
}
