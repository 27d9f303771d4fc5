import { z } from 'zod';

/** Which sentences a satellite answers. The contract of `/listen` has the same. */
export const wakeModeSchema = z.enum(['open', 'name', 'word', 'word+name']);
