import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { engineNames } from './engine-status.ts';

/** The fetcher writes a few hundred bytes. A much larger file is not its own. */
const maxBytes = 64 * 1024;

const progressSchema = z.object({
  state: z.string(),
  note: z.string().nullable().default(null),
  models: z.array(
    z.object({
      kind: z.enum(engineNames),
      id: z.string(),
      state: z.enum(['waiting', 'downloading', 'verifying', 'ready', 'failed']),
      bytesDone: z.number(),
      bytesTotal: z.number(),
      reason: z.string().nullable().default(null),
    }),
  ),
});

const selectionSchema = z.object({
  requested: z.string(),
  size: z.string(),
  note: z.string().nullable().default(null),
  models: z.partialRecord(
    z.enum(engineNames),
    z.object({
      id: z.string(),
      name: z.string(),
      /** Codes of the languages that it knows, or `multilingual`. Missing for a model of your own. */
      languages: z.array(z.string()).optional(),
      /** For a language model: it can call tools. */ tools: z.boolean().optional(),
    }),
  ),
});

export interface ModelFiles {
  progress: z.infer<typeof progressSchema> | null;
  selection: z.infer<typeof selectionSchema> | null;
}

export type ModelFilesWatch = ReturnType<typeof watchModelFiles>;

/**
 * Reads the fetcher's status files from the models folder once a second. Empty if there is no such folder.
 */
export function watchModelFiles({
  modelsDir,
  intervalMs = 1_000,
}: {
  modelsDir: string;
  intervalMs?: number;
}) {
  let current: ModelFiles = { progress: null, selection: null };
  const refresh = async () => {
    const [progress, selection] = await Promise.all([
      readJson(join(modelsDir, 'progress.json'), progressSchema),
      readJson(join(modelsDir, 'selection.json'), selectionSchema),
    ]);
    current = { progress, selection };
  };
  void refresh();
  const timer = setInterval(refresh, intervalMs).unref();

  return {
    get current(): ModelFiles {
      return current;
    },
    stop: () => clearInterval(timer),
  };
}

/** A missing, partial or invalid file counts as unknown, because the engines report their own state. */
async function readJson<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    await using file = await open(path);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return schema.parse(JSON.parse(buffer.toString('utf8', 0, bytesRead)));
  } catch {
    return null;
  }
}
