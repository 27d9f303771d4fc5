import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';

const repliesSchema = z.object({ replies: z.record(z.string(), z.unknown()).default({}) });
const variantsSchema = z.array(z.string().regex(/^[^{}]+$/));

/**
 * Rewrites effects so that they do not depend on the hour, the day or the turn. A reply with variants becomes
 * the first of them; text that depends on the time of the run is removed.
 */
export function createSameWords(
  skills = new URL('../../api/languages/en/skills/', import.meta.url),
): (happened: string) => string {
  const firstOf = new Map<string, string>();
  for (const file of readdirSync(skills)) {
    const { data } = repliesSchema.safeParse(load(readFileSync(new URL(file, skills), 'utf8')));
    for (const reply of Object.values(data?.replies ?? {})) {
      const variants = variantsSchema.safeParse(reply).data ?? [];
      for (const variant of variants) firstOf.set(`"${variant}"`, `"${variants[0]}"`);
    }
  }
  return (happened) =>
    (firstOf.get(happened) ?? happened)
      // A coin toss is random.
      .replace(/^"It is (?:heads|tails)\.(?: You (?:win|lose)\.)?"$/, '"It is heads."')
      // This list grows with every skill.
      .replace(/^"I can (?:[^"]+, ){3,}and [^"]+"$/, '"I can ..."')
      .replaceAll(/#(?:st|nd|rd|th)\b/g, '#th')
      .replaceAll(/#(?::#)? (?:AM|PM)\b|\b(?:noon|midnight)\b/g, 'TIME')
      .replaceAll(/ on DAY in\b/g, ' in')
      .replaceAll(/(\+ command \d\d:\d\d) (?:today|tomorrow)/g, '$1');
}
