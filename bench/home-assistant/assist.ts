import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { HomeLine } from './home-line.ts';

const flowSchema = z.looseObject({ flow_id: z.string().optional(), type: z.string() });
const createdSchema = z.looseObject({
  type: z.literal('create_entry'),
  result: z.looseObject({ entry_id: z.string() }),
});
const entriesSchema = z.array(
  z.looseObject({ entity_id: z.string(), config_entry_id: z.string().nullable(), platform: z.string() }),
);
const pipelineSchema = z.looseObject({ id: z.string() });
const voiceSchema = z.looseObject({
  provider: z.looseObject({ supported_languages: z.array(z.string()).nullable() }),
});
const eventSchema = z.looseObject({
  type: z.string(),
  data: z.looseObject({}).nullable().default(null),
});
const startedSchema = z.looseObject({ runner_data: z.looseObject({ stt_binary_handler_id: z.number() }) });
const heardSchema = z.looseObject({ stt_output: z.looseObject({ text: z.string() }) });
const answeredSchema = z.looseObject({
  intent_output: z.looseObject({
    response: z.looseObject({
      speech: z.looseObject({ plain: z.looseObject({ speech: z.string() }).optional() }),
    }),
  }),
});
const spokenSchema = z.looseObject({ tts_output: z.looseObject({ url: z.string() }) });

/**
 * Adds the Wyoming server at an address through the integration's own config flow, if it is missing. Returns
 * its entities by domain, and a function that removes it.
 */
export async function addWyoming(home: HomeLine, at: { host: string; port: number }) {
  const flow = flowSchema.parse(
    await home.http('/api/config/config_entries/flow', 'POST', { handler: 'wyoming' }),
  );
  const end = await home.http(`/api/config/config_entries/flow/${flow.flow_id}`, 'POST', at);
  const { result } = createdSchema.parse(end);
  const entities = async () =>
    entriesSchema
      .parse(await home.ask({ type: 'config/entity_registry/list' }))
      .filter(({ config_entry_id }) => config_entry_id === result.entry_id)
      .map(({ entity_id }) => entity_id);
  let found = await entities();
  for (let tries = 0; found.length < 3 && tries < 50; tries += 1) {
    await delay(200);
    found = await entities();
  }
  const of = (domain: string) => found.find((id) => id.startsWith(`${domain}.`)) ?? '';
  return {
    entities: { stt: of('stt'), tts: of('tts'), conversation: of('conversation') },
    remove: () => home.http(`/api/config/config_entries/entry/${result.entry_id}`, 'DELETE'),
  };
}

interface Parts {
  stt: string;
  tts: string;
  conversation: string;
}

/** A pipeline of Home Assistant made of these parts. */
export async function addPipeline(home: HomeLine, parts: Parts) {
  const language = 'en';
  const { provider } = voiceSchema.parse(await home.ask({ type: 'tts/engine/get', engine_id: parts.tts }));
  // Piper offers en_US and en_GB, but no en.
  const spoken = provider.supported_languages?.find((each) => each.startsWith(language)) ?? language;
  const made = pipelineSchema.parse(
    await home.ask({
      type: 'assist_pipeline/pipeline/create',
      name: `Bench ${parts.conversation}`,
      language,
      conversation_engine: parts.conversation,
      conversation_language: language,
      stt_engine: parts.stt,
      stt_language: language,
      tts_engine: parts.tts,
      tts_language: spoken,
      tts_voice: null,
      wake_word_entity: null,
      wake_word_id: null,
      prefer_local_intents: false,
    }),
  );
  return {
    id: made.id,
    remove: () => home.ask({ type: 'assist_pipeline/pipeline/delete', pipeline_id: made.id }),
  };
}

/** The transcript, reply and sound of a pipeline run, with their times in ms from the end of speech. */
export interface PipelineRun {
  heard: string;
  said: string;
  soundBytes: number;
  firstSoundMs: number;
  stagesMs: Record<string, number>;
}

const frameMs = 20;
const bytesPerMs = 32;
/** How long a person waits for an answer. */
const maxMs = 20_000;
/** The silence that a microphone keeps sending. */
const restMs = 6_000;

/**
 * Sends a sound (16 kHz, 16 bit, mono) to a pipeline in real time, over the websocket that pages use. Fetches
 * the answer as soon as its address arrives, as a voice device does.
 */
export async function runPipeline(
  home: HomeLine,
  {
    pipeline,
    sound,
    speechEndMs,
    device,
  }: { pipeline: string; sound: Buffer; speechEndMs: number; device?: string },
): Promise<PipelineRun> {
  const run: PipelineRun = { heard: '', said: '', soundBytes: 0, firstSoundMs: Number.NaN, stagesMs: {} };
  const over = Promise.withResolvers<void>();
  let [begunAt, handler, speechUrl] = [0, 0, ''];
  let isHeard = false;
  let fetched: Promise<void> | null = null;
  const sinceSpeech = () => Math.round(performance.now() - begunAt - speechEndMs);
  const fetchSpeech = async (): Promise<void> => {
    const answer = await fetch(new URL(speechUrl, home.url));
    for await (const piece of answer.body ?? []) {
      if (run.soundBytes === 0) run.firstSoundMs = sinceSpeech();
      run.soundBytes += piece.length;
    }
  };
  const hear: Readonly<Record<string, (data: Readonly<Record<string, unknown>> | null) => void>> = {
    'run-start': (data) => {
      handler = startedSchema.parse(data).runner_data.stt_binary_handler_id;
      speechUrl = spokenSchema.safeParse(data).data?.tts_output.url ?? '';
    },
    'stt-end': (data) => {
      isHeard = true;
      run.heard = heardSchema.parse(data).stt_output.text;
    },
    'intent-progress': (data) => {
      if (data?.['tts_start_streaming'] === true) fetched ??= fetchSpeech();
    },
    'intent-end': (data) => {
      run.said = answeredSchema.parse(data).intent_output.response.speech.plain?.speech ?? '';
    },
    'tts-end': (data) => {
      speechUrl = spokenSchema.parse(data).tts_output.url;
      fetched ??= fetchSpeech();
    },
    error: (data) => over.reject(new Error(`the pipeline failed: ${JSON.stringify(data)}`)),
    'run-end': () => over.resolve(),
  };
  const listen = (event: unknown): void => {
    const { type, data } = eventSchema.parse(event);
    run.stagesMs[type] = sinceSpeech();
    hear[type]?.(data);
  };
  await home.ask(
    {
      type: 'assist_pipeline/run',
      start_stage: 'stt',
      end_stage: 'tts',
      input: { sample_rate: 16_000 },
      pipeline,
      timeout: maxMs / 1_000,
      ...(device && { device_id: device }),
    },
    listen,
  );
  while (handler === 0) await delay(1);
  begunAt = performance.now();
  const speak = async (): Promise<void> => {
    const whole = Buffer.concat([sound, Buffer.alloc(restMs * bytesPerMs)]);
    const bytes = frameMs * bytesPerMs;
    for (let at = 0; at < whole.length && !isHeard; at += bytes) {
      home.sendSound(handler, whole.subarray(at, at + bytes));
      const leftMs = begunAt + (at + bytes) / bytesPerMs - performance.now();
      if (leftMs > 0) await delay(leftMs);
    }
    home.sendSound(handler, new Uint8Array());
  };
  await Promise.race([Promise.all([speak(), over.promise]), delay(maxMs)]);
  await fetched;
  return run;
}
