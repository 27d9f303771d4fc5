import { z } from 'zod';

export const engineNames = ['llm', 'stt', 'tts'] as const;
export type EngineName = (typeof engineNames)[number];

/** What an engine can do now, found out by asking it for real work. */
export const engineStates = ['off', 'starting', 'downloading', 'loading', 'ready', 'failed'] as const;
export type EngineState = (typeof engineStates)[number];

export const engineStatusSchema = z.object({
  state: z.enum(engineStates),
  /** A sentence for people; null when there is nothing to say. */
  reason: z.string().nullable(),
  /** Unix time in ms of the last change of state. */
  since: z.number(),
  model: z.string().nullable(),
});

export type EngineStatus = z.infer<typeof engineStatusSchema>;

export const heartbeatSchema = z.object({
  workerId: z.string(),
  engines: z.partialRecord(z.enum(engineNames), engineStatusSchema),
  /** Jobs that this worker has in hand. */
  running: z.number(),
});

/** A sign of life that every worker gives once a second. */
export type Heartbeat = z.infer<typeof heartbeatSchema>;

export const heartbeatChannel = 'hearth:heartbeats';
export const heartbeatEveryMs = 1_000;
