import { z } from 'zod';
import { EngineError } from './engine-client.ts';

/** A language model server and its abilities. */
export interface LlmFacts {
  /** The name to send as `model`. */
  model: string;
  /** llama.cpp understands slots, prompt progress and template options; others refuse fields that they do not know. */
  isLlamaCpp: boolean;
  /** Requests that it works on at once. */
  slots: number;
  /** Tokens that one request may hold, question and answer together. */
  contextTokens: number;
  /** The server's description of its model's file: another file may have the same name. */
  fingerprint: string;
  /** Whether its model knows how to call tools; null when the server does not tell. */
  callsTools: boolean | null;
  /** Whether it has said that its model sees pictures. One that does not see them may answer all the same. */
  sees: boolean;
  /** The path of its model's file, as llama.cpp tells it. */
  file?: string | undefined;
  /** It serves the model that our own list names. */
  isOwn: boolean;
}

/** Assumptions about a server that does not tell. Ollama's default context is the smallest among the common ones. */
const unknownServer = { slots: 2, contextTokens: 4_096 };

/** The name that services/llm gives to the model that it serves, whichever file is behind it. */
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

/** The model to ask for: the one that is wished for, else the server's first. Throws `refused` when the server does not have it. */
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

/** The facts of a server, by its list of models and, of llama.cpp, its own description. */
export function factsOf(found: ListedModel, props: LlamaCppProps | undefined): LlmFacts {
  return {
    model: found.id,
    isLlamaCpp: props !== undefined,
    slots: props?.total_slots ?? unknownServer.slots,
    // A slot may be larger than the longest text that the model was trained to read.
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

/** A model as the server calls it: Ollama adds a tag to names without one. Null where no name was wished for. */
export function named(model: string | null, names: readonly string[]): string | null {
  return model === null ? null : (names.find((name) => name === `${model}:latest`) ?? model);
}
