import type { Redis } from 'ioredis';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createLlmClient } from '../../api/src/engines/llm-client.ts';
import { createLlmSlots } from '../../api/src/engines/llm-slots.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import { createLlmResponder } from '../../api/src/respond/model/llm-responder.ts';
import { createPromptHeads } from '../../api/src/respond/model/prompt-head.ts';
import type { Tool } from '../../api/src/respond/model/tool.ts';
import { loadToolWords } from '../../api/src/respond/model/tool-words.ts';
import { createUnsupported } from '../../api/src/respond/unsupported/unsupported.ts';
import type { EngineStatus } from '../../api/src/status/engine-status.ts';

const language = loadLanguage({ folder: new URL('../../api/languages/en/', import.meta.url) });

/** The sentences about tools, in English. */
export const toolWords = loadToolWords(language.files);

interface LanguageModelOptions {
  redis: Redis;
  url: string;
  tools: () => readonly Tool[];
  toolMs?: number;
  ownModelCallsTools?: boolean | null;
}

/** The language model as a responder, with these tools and no earlier responder. */
export function createLanguageModel({
  redis,
  url,
  tools,
  toolMs,
  ownModelCallsTools = true,
}: LanguageModelOptions) {
  const http = createEngineClient('llm');
  const status = (): EngineStatus => ({ state: 'ready', reason: null, since: 0, model: 'local' });
  const client = createLlmClient({ http, baseUrl: url });
  const responder = createLlmResponder({
    replicas: [{ url, client, status, suspect: () => undefined }],
    slots: createLlmSlots({ redis }),
    headOf: createPromptHeads({
      words: language.prompt,
      tools,
      ownModelCallsTools: () => ownModelCallsTools,
    }),
    words: toolWords,
    unsupported: createUnsupported({ language }),
    pictures: { of: async () => [] },
    ...(toolMs !== undefined && { toolMs }),
  });
  return { responder, client, close: () => http.close() };
}
