import { z } from 'zod';

const mark = z.string().length(1);

/** How digits are written: "1,000.5". */
export const marksSchema = z.strictObject({ decimal: mark, thousands: mark });

export type NumberMarks = z.infer<typeof marksSchema>;
