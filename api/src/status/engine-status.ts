import { z } from 'zod';

export const engineNames = ['llm', 'stt', 'tts'] as const;
export type EngineName = (typeof engineNames)[number];

/** An engine's state, found out by asking it for real work. */
export const engineStates = ['off', 'starting', 'downloading', 'loading', 'ready', 'failed'] as const;
export type EngineState = (typeof engineStates)[number];

export const engineStatusSchema = z.object({
  state: z.enum(engineStates),
  /** A sentence for people; null when there is nothing to say. */
  reason: z.string().nullable(),
  /** Unix time in ms of the last change of state. */
  since: z.number(),
  model: z.string().nullable(),
  /** The models or voices that it can be asked for, by name. */
  options: z.array(z.string()).optional(),
  /** The file of its model, where the server tells it. */
  file: z.string().optional(),
  /** Whether it can be shown pictures; left out: no. */
  sees: z.boolean().optional(),
});

export type EngineStatus = z.infer<typeof engineStatusSchema>;

export const serverFactsSchema = z.object({
  /** The program's own; null when it does not tell. */
  version: z.string().nullable(),
  /** The models that it holds in memory, as far as it tells. */
  memory: z
    .object({
      /** All that its process holds. */
      residentBytes: z.number().nullable(),
      modelBytes: z.number().nullable(),
      /** Conversations that it can hold at once, and how many of them are worked on now. */
      slots: z.number().nullable(),
      slotsBusy: z.number().nullable(),
      /** Tokens that one of them may have. */
      contextTokens: z.number().nullable(),
      /** Tokens of conversations that it has read and still knows. */
      cachedTokens: z.number().nullable(),
      device: z.string().nullable(),
    })
    .nullable(),
  /** Whether it takes a model into memory, and out of it, when it is told to. */
  can: z.object({ load: z.boolean(), unload: z.boolean() }),
});

/** One server of an engine, as it describes itself. */
export type ServerFacts = z.infer<typeof serverFactsSchema>;

const serverStatusSchema = engineStatusSchema.extend({ ...serverFactsSchema.shape, url: z.string() });

/** One server of an engine, as a worker sees it. */
export type ServerStatus = z.infer<typeof serverStatusSchema>;

export const diskSchema = z.object({ path: z.string(), freeBytes: z.number(), totalBytes: z.number() });
/** Where a process keeps or reads something, and what is free there. */
export type Disk = z.infer<typeof diskSchema>;

export const heartbeatSchema = z.object({
  workerId: z.string(),
  engines: z.partialRecord(z.enum(engineNames), engineStatusSchema),
  /** Each server of each engine; a worker of another version may not tell. */
  servers: z.partialRecord(z.enum(engineNames), z.array(serverStatusSchema)).default({}),
  disks: z.array(diskSchema).default([]),
  /** Jobs that this worker has in hand. */
  running: z.number(),
});

/** A sign of life that every worker gives once a second. */
export type Heartbeat = z.infer<typeof heartbeatSchema>;

export const heartbeatChannel = 'hearth:heartbeats';
export const heartbeatEveryMs = 1_000;
