import { z } from 'zod';
import { EngineError } from './engine-client.ts';

/** A language model server and its abilities. */
export interface LlmFacts {
  /** The name to send as `model`. */
  model: string;
  /**
   * llama.cpp understands slots, prompt progress and template options; other servers refuse unknown fields.
   */
  isLlamaCpp: boolean;
  /** Maximum number of requests it runs at once. */
  slots: number;
  /** Maximum tokens of one request, prompt and answer together. */
  contextTokens: number;
  /** The server's description of its model file, since another file may have the same name. */
  fingerprint: string;
  /** Whether its model can call tools; null if the server does not report it. */
  callsTools: boolean | null;
  /** Whether the server reports that its model sees pictures. A model without vision may still answer. */
  sees: boolean;
  /** The path of its model file, as llama.cpp reports it. */
  file?: string | undefined;
  /** It serves the model from our own list. */
  isOwn: boolean;
}

/**
 * Defaults for a server that reports nothing. Ollama's default context is the smallest of the common ones.
 */
const unknownServer = { slots: 2, contextTokens: 4_096 };

/** The name that services/llm gives its model, whatever the file. */
const ownModel = 'local';

export const modelsSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      meta: z.looseObject({ n_ctx_train: z.number().optional() }).nullish(),
      architecture: z
        .object({ input_modalities: z.array(z.string()).nullish() })
        .nullish()
        .catch(null),
    }),
  ),
});

export const propsSchema = z.object({
  model_path: z.string().nullish(),
  total_slots: z.number().int().min(1),
  default_generation_settings: z.object({ n_ctx: z.number().int().min(1) }),
  chat_template_caps: z
    .object({ supports_tools: z.boolean().nullish(), supports_tool_calls: z.boolean().nullish() })
    .nullish(),
  modalities: z.object({ vision: z.boolean().nullish() }).nullish(),
});

type ListedModel = z.infer<typeof modelsSchema>['data'][number];
/** llama.cpp's own description; other servers have none. */
export type LlamaCppProps = z.infer<typeof propsSchema>;

/** The model to request: the chosen one, else the server's first. Throws `refused` if the server lacks it. */
export function modelToAsk(listed: readonly ListedModel[], wished: string | null): ListedModel {
  const names = listed.map(({ id }) => id);
  const wanted = named(wished, names) ?? names[0];
  const found = listed.find(({ id }) => id === wanted);
  if (found) return found;
  const has = names.join(', ') || 'no model at all';
  throw new EngineError('llm', 'refused', {
    detail: wished ? `it has ${has}, not ${wished}` : `it has ${has}`,
  });
}

/** The facts of a server, from its model list and, for llama.cpp, its own description. */
export function factsOf(found: ListedModel, props: LlamaCppProps | undefined): LlmFacts {
  return {
    model: found.id,
    isLlamaCpp: props !== undefined,
    slots: props?.total_slots ?? unknownServer.slots,
    // A slot may be larger than the context the model was trained on.
    contextTokens: Math.min(
      props?.default_generation_settings.n_ctx ?? unknownServer.contextTokens,
      found.meta?.n_ctx_train ?? Number.POSITIVE_INFINITY,
    ),
    fingerprint: JSON.stringify(found.meta ?? null),
    callsTools: callsTools(props),
    sees: props?.modalities?.vision ?? found.architecture?.input_modalities?.includes('image') ?? false,
    file: props?.model_path ?? undefined,
    isOwn: props !== undefined && found.id === ownModel,
  };
}

function callsTools(props: LlamaCppProps | undefined): boolean | null {
  const caps = props?.chat_template_caps;
  return caps ? (caps.supports_tools ?? false) && (caps.supports_tool_calls ?? false) : null;
}

/** A model under the server's name: Ollama adds a tag to names without one. Null without a name. */
export function named(model: string | null, names: readonly string[]): string | null {
  return model === null ? null : (names.find((name) => name === `${model}:latest`) ?? model);
}
