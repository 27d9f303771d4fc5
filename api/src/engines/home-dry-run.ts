import { z } from 'zod';
import type { HomeSocket } from './home-socket.ts';

/** How Home Assistant understands a sentence, without guessing. */
export interface Reading {
  /** Home Assistant's name for the intent; '' for a sentence that the household wrote itself. */
  intent: string;
  /** The household wrote this exact sentence, so only the household knows its effect. */
  isOwn: boolean;
  /** It would answer and certainly change nothing. */
  onlyReads: boolean;
  /** The slot names that the sentence fills: name, area, floor, domain ... */
  slots: readonly string[];
  /** The numbers by slot: `brightness` and `volume_level` in percent, `temperature` in degrees. */
  numbers: Readonly<Record<string, number>>;
  /** The ids of its targets, as far as they are exposed. */
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
        details: z.record(z.string(), z.looseObject({ value: z.json().optional() })).default({}),
        targets: z.record(z.string(), z.json()).default({}),
        unmatched_slots: z.record(z.string(), z.json()).default({}),
      })
      .nullable(),
  ),
});

/** Intents of Home Assistant that read and cannot act. */
const reading = /^Hass(?:\w*Get\w+)$/;

/**
 * Asks Home Assistant how it would understand sentences, without acting on them. It reports only exact
 * matches; a match by guessing counts as none.
 */
export function createDryRun(socket: Pick<HomeSocket, 'ask'>) {
  /** The meaning of each sentence; null: no match, or only a guess. */
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
    numbers: Object.fromEntries(
      Object.entries(found.details).flatMap(([slot, { value }]) =>
        typeof value === 'number' ? [[slot, value]] : [],
      ),
    ),
    targets: Object.keys(found.targets),
  };
}
