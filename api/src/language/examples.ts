import { z } from 'zod';
import { type LanguageFiles, loadPart } from './language.ts';

const examplesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      title: z.string(),
      /** The skill that understands them. */
      skill: z.string(),
      sentences: z.array(z.string().trim().min(1)).min(1),
    }),
  ),
  /** The heading for the household's routines. */
  routines: z.string(),
});

type Examples = z.infer<typeof examplesSchema>;

/** Example sentences for people: `examples.yaml`. */
export function loadExamples(files: LanguageFiles): Examples {
  return loadPart(files, 'examples.yaml', examplesSchema);
}
