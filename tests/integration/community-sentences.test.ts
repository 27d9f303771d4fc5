/** @module-tag slow */
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadCommunity } from '../../api/src/language/community/community.ts';
import { communityData, communityPart, communityTags } from '../../scripts/community-docs.ts';
import { createCommunity } from '../support/community/community.ts';

/*
 * Compares hassil and our grammar on the sentences of Home Assistant's community; half of them lack a word or
 * repeat one. Every run includes two of the compared languages. Ten languages, 5,200 sentences, some minutes:
 *
 *   SENTENCES=520 LANGUAGES=de,en,es,fr,fi,hu,it,nl,pl,ru npx vitest run --project integration tests/integration/community-sentences.test.ts
 */
const { SENTENCES = '100', LANGUAGES = 'nl,pl' } = process.env;

const root = resolve(import.meta.dirname, '../..');
const python = join(root, '.venv/bin/python');
const run = promisify(execFile);
const maxBytes = 256 * 1024 * 1024;
const timeoutMs = 60_000 + 20_000 * (Number(SENTENCES) / 20);

const readingSchema = z.object({
  intent: z.string(),
  slots: z.record(z.string(), z.unknown()),
});
const lineSchema = z.object({
  language: z.string(),
  text: z.string(),
  area: z.string().nullable(),
  readings: z.array(readingSchema),
});

type Reading = z.infer<typeof readingSchema>;

/** Intent and slots as one text. The case and the marks of a wildcard do not count. */
function plain({ intent, slots }: Reading): string {
  const plainValue = (value: unknown) =>
    String(value)
      .toLowerCase()
      .normalize('NFC')
      .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
  const all = Object.entries(slots).map(([name, value]) => `${name}=${plainValue(value)}`);
  return [intent, ...all.sort()].join(' ');
}

describe('sentences of the community', () => {
  test.each(LANGUAGES.split(','))(
    'mean the same in our grammar and in hassil: %s',
    async (language) => {
      const sample = join(root, 'tests/support/community/sample.py');
      const { stdout } = await run(python, [sample, SENTENCES, language], { maxBuffer: maxBytes });
      const [about = '{}', ...lines] = stdout.trim().split('\n');
      const { house, data } = z.object({ house: z.unknown(), data: z.string() }).parse(JSON.parse(about));
      const { read } = createCommunity(loadCommunity(data), house);
      const said = lines.map((line) => lineSchema.parse(JSON.parse(line)));
      const differences = said.flatMap(({ text, area, readings }) => {
        const ours = read(text, area);
        const theirs = readings.map(plain);
        const isSame = ours === null ? theirs.length === 0 : theirs.includes(plain(ours));
        return isSame ? [] : [{ text, ours: ours && plain(ours), theirs: theirs[0] ?? null }];
      });

      expect(said).toHaveLength(Number(SENTENCES));
      expect(said.filter(({ readings }) => readings.length > 0).length).toBeGreaterThan(said.length / 3);
      expect(differences).toEqual([]);
    },
    timeoutMs,
  );
});

describe('the languages of the community', () => {
  test('are all read, and have sentences', () => {
    const empty = communityTags.filter((tag) => Object.keys(communityData(tag).intents).length === 0);

    expect(empty).toEqual([]);
  });

  test('are listed in the docs with what works in them', () => {
    const { is, should } = communityPart.compare();

    expect(is).toBe(should);
  });
});
