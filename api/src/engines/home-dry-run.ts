import { z } from 'zod';
import type { HomeSocket } from './home-socket.ts';

/** Home Assistant's understanding of a sentence, without any guessing. */
export interface Reading {
  /** Its own name for what it would do; '' for a sentence that the household has written itself. */
  intent: string;
  /** The household has written this very sentence: only it knows what that does. */
  isOwn: boolean;
  /** It would be answered and surely do nothing. */
  onlyReads: boolean;
  /** The kinds of words that the sentence gives it: a name, an area, a floor, a domain ... */
  slots: readonly string[];
  /** The ids of what it speaks of, as far as that is exposed. */
  targets: readonly string[];
}

const resultSchema = z.object({
  results: z.array(
    z
      .object({
        intent: z.object({ name: z.string() }).optional(),
        match: z.boolean().optional(),
        fuzzy_match: z.boolean().nullish(),
        source: z.string().optional(),
        slots: z.record(z.string(), z.json()).default({}),
        targets: z.record(z.string(), z.json()).default({}),
        unmatched_slots: z.record(z.string(), z.json()).default({}),
      })
      .nullable(),
  ),
});

/** Intents of Home Assistant that read and cannot act. */
const reading = /^Hass(?:\w*Get\w+)$/;

/**
 * Asks Home Assistant what it would make of sentences. Nothing is done by it. It knows only what matches word for word: what Home Assistant would
 * guess, it says no match for.
 */
export function createDryRun(socket: Pick<HomeSocket, 'ask'>) {
  /** Of each sentence what it means; null: nothing, or only by guessing. */
  return async (
    sentences: readonly string[],
    { language, device }: { language: string; device: string | null },
    signal: AbortSignal,
  ): Promise<(Reading | null)[]> => {
    const type = 'conversation/agent/homeassistant/debug';
    const said = { type, sentences, language, ...(device !== null && { device_id: device }) };
    const { results } = resultSchema.parse(await socket.ask(said, signal));
    return sentences.map((_, at) => readingOf(results[at] ?? null));
  };
}

function readingOf(found: z.infer<typeof resultSchema>['results'][number]): Reading | null {
  if (found?.match !== true || found.fuzzy_match || Object.keys(found.unmatched_slots).length > 0)
    return null;
  const intent = found.intent?.name ?? '';
  return {
    intent,
    isOwn: found.source === 'custom' || found.source === 'trigger',
    onlyReads: reading.test(intent),
    slots: Object.keys(found.slots),
    targets: Object.keys(found.targets),
  };
}
