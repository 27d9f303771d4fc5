import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const root = join(import.meta.dirname, '../../..');
const files = globSync('api/languages/*/skills/self.yaml', { cwd: root });
const selfSchema = z.object({ replies: z.object({ home_assistant: z.string(), voice: z.string() }) });
const view = readFileSync(join(root, 'console/src/views/settings/settings-view.tsx'), 'utf8');

/** A text of the page in the language of a skill file. */
function shownIn(file: string, text: string): string {
  const [, , tag = ''] = file.split('/');
  const texts = globSync(`console/src/language/${tag}/*.json`, { cwd: root }).map((path) =>
    z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(join(root, path), 'utf8'))),
  );
  return texts.find((each) => text in each)?.[text] ?? text;
}

test.each(files)('answers in %s name the page of the settings with the card', (file) => {
  const { replies } = selfSchema.parse(parse(readFileSync(join(root, file), 'utf8')));

  for (const [reply, card] of [
    [replies.home_assistant, 'Home Assistant'],
    [replies.voice, 'Voices'],
  ] as const) {
    expect(view).toMatch(new RegExp(`\\(\\) => (?:t\\()?'${card}'`));
    expect(reply).toContain(shownIn(file, 'For experts'));
    expect(reply).toContain(shownIn(file, card));
  }
});
