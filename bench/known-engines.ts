import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type EngineStream, type Household, startHousehold } from './household.ts';
import { type Work, workSchema } from './stub-work.ts';

const llmSchema = z.object({ port: z.number() });
const speechSchema = z.object({ ports: z.object({ stt: z.number(), tts: z.number() }) });
const toldSchema = z.object({ work: z.array(workSchema) });

/** Their speed of transcription, thinking and speech, and the transcript they return. */
export interface Speed {
  hearMs: number;
  msPerCharacter: number;
  transcript: string;
  answer: EngineStream;
}

export type KnownEngines = Awaited<ReturnType<typeof startKnownEngines>>;

/** Three engines of known speed that report their work with its times. They end with the household. */
async function startKnownEngines({ processes, signal }: Household) {
  const fork = async <T>(name: string, schema: z.ZodType<T>) => {
    const child = processes.fork(`known-${name}`, join(import.meta.dirname, `stub-${name}.ts`));
    return { child, first: schema.parse((await once(child, 'message', { signal }))[0]) };
  };
  const { child: llm, first: llmTold } = await fork('llm', llmSchema);
  const { child: speech, first: speechTold } = await fork('speech', speechSchema);
  const ask = async (child: ChildProcess, message: object): Promise<unknown> => {
    const answer = once(child, 'message', { signal });
    child.send(message);
    return (await answer)[0];
  };
  const urlOf = (port: number) => `http://127.0.0.1:${port}`;

  return {
    urls: {
      llmUrl: urlOf(llmTold.port),
      sttUrl: urlOf(speechTold.ports.stt),
      ttsUrl: urlOf(speechTold.ports.tts),
    },
    async set({ answer, ...speed }: Speed): Promise<void> {
      await ask(speech, speed);
      await ask(llm, { stream: answer });
    },
    /** Their work since the last call. */
    async work(): Promise<Work[]> {
      const messages = [await ask(speech, { tell: true }), await ask(llm, { tell: true })];
      return messages.flatMap((message) => toldSchema.parse(message).work);
    },
  };
}

/** Runs a function with a household on engines of known speed, and always ends the household. */
export async function onKnownEngines<T>(
  house: Household,
  name: string,
  work: (live: Household, engines: KnownEngines) => Promise<T>,
  more: Readonly<Record<string, string>> = {},
): Promise<T> {
  const folder = join(house.folder, name);
  mkdirSync(folder);
  const engines = await startKnownEngines(house);
  const live = await startHousehold({ folder, signal: house.signal, ...engines.urls, more });
  try {
    return await work(live, engines);
  } finally {
    await live.end();
  }
}
