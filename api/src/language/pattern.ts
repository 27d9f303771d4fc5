import { z } from 'zod';

/** A pattern for exactly these characters. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** A regular expression of a language file. */
export const patternSchema = z.string().superRefine((text, context) => {
  try {
    new RegExp(text, 'iu');
  } catch {
    context.addIssue({ code: 'custom', message: `"${text}" is not a regular expression` });
  }
});
