import { readdirSync, readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { skillsOf } from '../../support/skills.ts';

/** A sentence that a reply tells people to say: "Say, for example: make a packing list." */
const example =
  /(?:for example|such as|zum Beispiel|por ejemplo|par exemple|per esempio|bijvoorbeeld) ?[:,] ?(?<said>[^{}]+)$/u;

/** "«pon un temporizador», «añade leche»" */
const quoted = /[«„"] ?([^«»„”"]+?) ?[»”"]/gu;

/** They name a house or a calendar, which these tests lack. */
const elsewhere = new Set(['home.yaml', 'calendar.yaml', 'unsupported.yaml']);

const fileSchema = z.object({ replies: z.record(z.string(), z.unknown()).default({}) });

function examplesOf(tag: string): string[] {
  const folder = new URL(`../../../api/languages/${tag}/skills/`, import.meta.url);
  const files = readdirSync(folder).filter((name) => !elsewhere.has(name));
  const replies = files.flatMap((name) =>
    Object.values(fileSchema.parse(load(readFileSync(new URL(name, folder), 'utf8'))).replies),
  );
  const texts = replies.flat().filter((text) => typeof text === 'string');
  return texts
    .flatMap((text) => example.exec(text)?.groups?.['said'] ?? [])
    .flatMap((said) => (quoted.test(said) ? [...said.matchAll(quoted)].map(([, text = '']) => text) : said));
}

test.each(['en', 'de', 'es', 'fr', 'it', 'nl'])(
  'a skill understands each example that it gives: %s',
  (tag) => {
    const { responder } = skillsOf(tag, new Redis({ lazyConnect: true }));
    const examples = examplesOf(tag);

    expect(examples.length).toBeGreaterThan(2);
    expect(examples.filter((text) => responder.understood(text) === null)).toEqual([]);
  },
);
