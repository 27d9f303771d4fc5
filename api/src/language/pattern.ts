import { z } from 'zod';

/** A regular expression of a language file. */
export const patternSchema = z.string().superRefine((text, context) => {
  try {
    new RegExp(text, 'iu');
  } catch {
    context.addIssue({ code: 'custom', message: `"${text}" is no regular expression` });
  }
});
