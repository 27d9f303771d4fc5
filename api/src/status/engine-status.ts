import { z } from 'zod';

export const engineNames = ['llm', 'stt', 'tts'] as const;
export type EngineName = (typeof engineNames)[number];

/** An engine's state, tested with real work. */
export const engineStates = ['off', 'starting', 'downloading', 'loading', 'ready', 'failed'] as const;
export type EngineState = (typeof engineStates)[number];

const engineStatusSchema = z.object({
  state: z.enum(engineStates),
  /** A sentence for people. Null: nothing to report. */
  reason: z.string().nullable(),
  /** Unix time in ms of the last change of state. */
  since: z.number(),
  model: z.string().nullable(),
  /** The available models or voices, by name. */
  options: z.array(z.string()).optional(),
  /** The file of its model, if the server reports it. */
  file: z.string().optional(),
  /** Codes of the languages that its model knows. Missing: unknown. */
  languages: z.array(z.string()).optional(),
  /** Whether it accepts pictures. Default: no. */
  sees: z.boolean().optional(),
});

export type EngineStatus = z.infer<typeof engineStatusSchema>;

const serverFactsSchema = z.object({
  /** Version of the server program. Null: unknown. */
  version: z.string().nullable(),
  /** Memory use of the loaded models, as far as the server reports it. */
  memory: z
    .object({
      /** Memory of the whole process. */
      residentBytes: z.number().nullable(),
      modelBytes: z.number().nullable(),
      /** Maximum number of parallel conversations, and how many are active. */
      slots: z.number().nullable(),
      slotsBusy: z.number().nullable(),
      /** Maximum number of tokens per conversation. */
      contextTokens: z.number().nullable(),
      /** Tokens of conversations that are still in its cache. */
      cachedTokens: z.number().nullable(),
      device: z.string().nullable(),
    })
    .nullable(),
  /** Whether it can load and unload a model on request. */
  can: z.object({ load: z.boolean(), unload: z.boolean() }),
});

/** One server of an engine, as it describes itself. */
export type ServerFacts = z.infer<typeof serverFactsSchema>;

const serverStatusSchema = engineStatusSchema.extend({
  ...serverFactsSchema.shape,
  url: z.string(),
  /** Milliseconds for the same amount of work as on other servers. Null: not measured. */
  paceMs: z.number().nullable().optional(),
  /** The usual duration of a call in ms. Null: there was none yet. */
  usualMs: z.number().nullable().optional(),
  /** The name of the other machine that lends it. */
  machine: z.string().optional(),
});

/** One server of an engine, as a worker sees it. */
export type ServerStatus = z.infer<typeof serverStatusSchema>;

const diskSchema = z.object({ path: z.string(), freeBytes: z.number(), totalBytes: z.number() });
/** A path that a process uses, with its free space. */
export type Disk = z.infer<typeof diskSchema>;

export const heartbeatSchema = z.object({
  workerId: z.string(),
  engines: z.partialRecord(z.enum(engineNames), engineStatusSchema),
  /** Each server of each engine. Workers of other versions may leave it out. */
  servers: z.partialRecord(z.enum(engineNames), z.array(serverStatusSchema)).default({}),
  disks: z.array(diskSchema).default([]),
  /** Jobs that this worker is running. */
  running: z.number(),
});

/** The heartbeat that every worker sends once a second. */
export type Heartbeat = z.infer<typeof heartbeatSchema>;

export const heartbeatChannel = 'hearth:heartbeats';
export const heartbeatEveryMs = 1_000;
