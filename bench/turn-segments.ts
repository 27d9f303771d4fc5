import { z } from 'zod';
import type { Segment } from '../console/src/views/activity/segments.ts';
import type { Household } from './household.ts';

const recordSchema = z.object({
  spans: z.array(z.object({ name: z.string(), start_ms: z.number(), took_ms: z.number() })),
  marks: z.record(z.string(), z.number()),
});
type TurnRecord = z.infer<typeof recordSchema>;

/** The record of a turn, which is written after the playback; null if it does not exist yet. */
export async function turnRecord({ api, signal }: Household, id: string): Promise<TurnRecord | null> {
  const answer = await fetch(`${api.url}/admin/turns/${encodeURIComponent(id)}`, { signal });
  return answer.ok ? recordSchema.parse(await answer.json()) : null;
}

const whoWords = new Map([
  ['silence', 'the silence'],
  ['way', 'on the way'],
]);

/** The waits of a turn as text: one line per segment. */
export function segmentsText(what: string, segments: readonly Segment[]): string {
  const msPerColumn = 10;
  const lines = segments.map(({ who, fromMs, untilMs }) => {
    const bar =
      ' '.repeat(Math.round(fromMs / msPerColumn)) +
      '#'.repeat(Math.max(1, Math.round((untilMs - fromMs) / msPerColumn)));
    return `  ${(whoWords.get(who) ?? who).padEnd(18)} ${fromMs.toFixed(0).padStart(5)} to ${untilMs.toFixed(0).padStart(5)} ms  ${bar}`;
  });
  return [`${what}: segments of the median turn`, ...lines].join('\n');
}
