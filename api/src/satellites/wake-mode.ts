import { z } from 'zod';

/** Which sentences a satellite answers. The `/listen` contract defines the same values. */
export const wakeModeSchema = z.enum(['open', 'name', 'word', 'word+name']);
