import { z } from 'zod';
import { phraseSchema } from '../phrase.ts';

const mark = z.string().length(1);

/** How numbers are written: "1,000.5", "3.33 times 10 to the power of -10". */
export const marksSchema = z.strictObject({
  decimal: mark,
  thousands: mark,
  power_of_ten: phraseSchema(['a', 'b']),
});

export type NumberMarks = z.infer<typeof marksSchema>;
