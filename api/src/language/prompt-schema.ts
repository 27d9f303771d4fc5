import { z } from 'zod';
import { phraseSchema } from './phrase.ts';

const sentences = z.array(z.string().trim().min(1));
const moment = ['weekday', 'day', 'month', 'year', 'hour', 'minute'];

/** The prompt of the language model in a language: `prompt.yaml`. */
export const promptSchema = z.strictObject({
  instructions: z.strictObject({
    always: sentences,
    without_tools: sentences,
    with_tools: sentences,
    last: sentences,
  }),
  locale: z.string().regex(/^[a-z]{2,3}(?:-[A-Z]{2})?$/, 'is a language and perhaps a country, as in en-GB'),
  context: phraseSchema(moment),
  context_in_room: phraseSchema([...moment, 'room']),
  note: phraseSchema(['question', 'answer']),
  hello: z.string().trim().min(1),
});

export type PromptWords = z.infer<typeof promptSchema>;
