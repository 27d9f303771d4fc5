import { z } from 'zod';
import { parseJson } from '../json.ts';
import { routineSchema } from './routine.ts';

const control = '\\p{Cc}\\p{Cs}';
const text = z.string().regex(new RegExp(`^(?:[\\t\\n\\r]|[^${control}])*$`, 'u'));
const word = z
  .string()
  .min(1)
  .max(40)
  .regex(new RegExp(`^[^${control}]*$`, 'u'));
const calledName = z
  .string()
  .max(40)
  .regex(/^(?=.*\p{L}.*\p{L})[\p{L}\p{M}\p{N} '’-]+$/u);
const wakeWord = z
  .string()
  .max(100)
  .regex(/^\w[\w. -]*$/);
const name = z.string().min(1).max(200).nullable();
const time = '(?:[01][0-9]|2[0-3]):[0-5][0-9]';
const timeOfDay = z
  .string()
  .regex(new RegExp(`^${time}$`))
  .nullable();
const timeOrNever = z.string().regex(new RegExp(`^(?:${time}|never)$`));
const integer = (min: number, max: number) => z.int().min(min).max(max);

const mcpServerSchema = z
  .strictObject({
    name: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,31}$/),
    url: z
      .string()
      .max(2_000)
      .regex(/^https?:\/\//)
      .exactOptional(),
    command: z.string().min(1).max(500).exactOptional(),
    args: z.array(z.string().max(2_000)).max(32).exactOptional(),
    acts: z.record(z.string(), z.enum(['read', 'act'])).exactOptional(),
    default_effect: z.enum(['read', 'act']).exactOptional(),
  })
  .refine(({ url, command }) => (url === undefined) !== (command === undefined));

/** A tool server for the language model, by address or as a program. */
export type McpServer = z.infer<typeof mcpServerSchema>;

/**
 * The household's settings. `components.schemas.Pipeline` of openapi.yaml contains the same with
 * descriptions. A test keeps them in sync.
 */
const pipelineSchema = z.strictObject({
  persona: text.max(2_000).default(''),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/)
    .default('en'),
  time_zone: z
    .string()
    .max(60)
    .regex(/^[A-Za-z][A-Za-z0-9_+/-]*$/)
    .default('UTC'),
  memory_turns: integer(1, 1_000).default(200),
  memory_days: integer(1, 3_650).default(30),
  memory_mb: integer(1, 1_000_000).nullable().default(null),
  stt_model: name.default(null),
  hints: z.array(word).max(40).default([]),
  names: z.array(calledName).min(1).max(5).default(['Computer']),
  name_spellings: z.array(calledName).max(20).default([]),
  wake_words: z.array(wakeWord).min(1).max(4).default(['okay_nabu']),
  end_silence_ms: integer(200, 3_000).default(600),
  patience: z.enum(['quick', 'normal', 'patient']).default('normal'),
  speculates: z.boolean().default(true),
  ends_early: z.boolean().default(true),
  waits_for_more: z.boolean().default(true),
  follow_up_sound: z.boolean().default(true),
  partials_every_ms: integer(0, 5_000).default(300),
  llm_model: name.default(null),
  temperature: z.number().min(0).max(2).default(0),
  reply_tokens: integer(16, 4_000).default(400),
  tools: z.boolean().default(true),
  mcp_servers: z.array(mcpServerSchema).max(8).default([]),
  mcp_confirms: z.boolean().default(true),
  routines: z.array(routineSchema).max(50).default([]),
  rooms: z.array(word).max(100).default([]),
  devices: z.array(word).max(100).default([]),
  home_lists: z.boolean().default(true),
  default_list: name.default(null),
  voice: name.default(null),
  speed: z.number().min(0.5).max(2).default(1),
  filler_after_ms: integer(0, 30_000).default(2_500),
  ring_minutes: integer(1, 60).default(10),
  quiet_from: timeOfDay.default(null),
  quiet_to: timeOfDay.default(null),
  log_words: z.boolean().default(false),
  check_at: timeOrNever.default('03:30'),
  backup_at: timeOrNever.default('never'),
});

export type Pipeline = Readonly<z.infer<typeof pipelineSchema>>;
type PipelineKey = keyof Pipeline;

/**
 * Source of a setting: the default, an environment variable, or a change made here. `fixed`: an environment
 * variable that takes precedence over changes.
 */
type Source = 'default' | 'environment' | 'fixed' | 'set';

/** Values from the environment. `null` and missing entries mean unset. */
export type Seeds = { readonly [Key in PipelineKey]?: Pipeline[Key] | undefined };

/** The settings whose values from the environment cannot be changed here. */
export type FixedSettings = readonly PipelineKey[];

export const pipelineKeys = pipelineSchema.keyof().options;

/** Changed settings, each as JSON. */
export type StoredValues = Readonly<Record<string, string>>;

export interface EffectiveSettings {
  values: Pipeline;
  sources: Readonly<Record<PipelineKey, Source>>;
}

/**
 * Computes the settings in effect. Ignores unknown or invalid values, because another version may have
 * written them and the assistant must still answer.
 */
export function effectivePipeline(
  made: StoredValues,
  seeds: Seeds,
  fixed: FixedSettings = [],
): EffectiveSettings {
  const isFixed = (key: string) => fixed.some((each) => each === key);
  const usable = new Map<string, unknown>();
  for (const [key, schema] of Object.entries(pipelineSchema.shape)) {
    const json = Object.hasOwn(made, key) && !isFixed(key) ? made[key] : undefined;
    const value = json === undefined ? undefined : parseJson(json);
    if (value !== undefined && schema.safeParse(value).success) usable.set(key, value);
  }
  const seeded = Object.entries(seeds).filter(([, value]) => value !== undefined && value !== null);
  const values = pipelineSchema.parse(Object.fromEntries([...seeded, ...usable]));
  const seededKeys = new Set(seeded.map(([key]) => key));
  const sourceOf = (key: string): Source =>
    usable.has(key) ? 'set' : isFixed(key) ? 'fixed' : seededKeys.has(key) ? 'environment' : 'default';
  return { values: Object.freeze(values), sources: sourcesOf(sourceOf) };
}

function sourcesOf(sourceOf: (key: PipelineKey) => Source): EffectiveSettings['sources'] {
  return z
    .record(pipelineSchema.keyof(), z.enum(['default', 'environment', 'fixed', 'set']))
    .parse(Object.fromEntries(pipelineKeys.map((key) => [key, sourceOf(key)])));
}
