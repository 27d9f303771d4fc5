import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const folder = new URL('../../../api/languages/', import.meta.url).pathname;
const skillSchema = z.object({
  replies: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
});

/** Replies that ask for a yes, as "file key: text". */
const shallReplies = globSync('*/skills/*.yaml', { cwd: folder }).flatMap((file) => {
  const { replies = {} } = skillSchema.parse(parse(readFileSync(`${folder}${file}`, 'utf8')));
  return Object.entries(replies)
    .filter(([key]) => key.startsWith('shall'))
    .flatMap(([key, texts]) => [texts].flat().map((text) => `${file} ${key}: ${text}`));
});

// `/listen` waits for an answer, without a name and with a short end silence, only after a final "?".
test('replies that ask for a yes end with their question', () => {
  expect(shallReplies.length).toBeGreaterThan(60);
  expect(shallReplies.filter((each) => !each.endsWith('?'))).toEqual([]);
});
