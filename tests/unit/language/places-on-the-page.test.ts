import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../..');
const files = globSync('api/languages/*/skills/self.yaml', { cwd: root });
const selfSchema = z.object({ replies: z.object({ home_assistant: z.string(), voice: z.string() }) });
const view = readFileSync(join(root, 'console/src/views/settings/settings-view.tsx'), 'utf8');

test.each(files)('answers in %s name the page of the settings with the card', (file) => {
  const { replies } = selfSchema.parse(parse(readFileSync(join(root, file), 'utf8')));

  // The page is English in every language.
  for (const [reply, card] of [
    [replies.home_assistant, 'Home Assistant'],
    [replies.voice, 'Voices'],
  ] as const) {
    expect(view).toContain(`['${card}', `);
    expect(reply).toContain('For experts');
    expect(reply).toContain(card);
  }
});
