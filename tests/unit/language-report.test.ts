import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { languageReport } from '../../scripts/language-report.ts';

const shipped = new URL('../../api/languages/', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'hearth-languages-'));
const languages = pathToFileURL(`${folder}/`);
const reportOf = (tag: string) => languageReport(tag, languages)?.join('\n') ?? null;

/** The languages, and a Polish folder with a few files. */
beforeAll(() => {
  cpSync(shipped, folder, { recursive: true });
  mkdirSync(join(folder, 'pl/skills'), { recursive: true });
  writeFileSync(join(folder, 'pl/skills/yes-no.yaml'), 'sentences: { yes: [tak], no: [] }\nreplies: {}\n');
  writeFileSync(join(folder, 'pl/skills/help.yaml'), 'sentences: [\n  ]]\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(['de', 'DE', 'de_AT'])('tells what the language %s has and lacks', (tag) => {
  const report = reportOf(tag);

  expect(report).toMatch(/^German \(de\): api\/languages\/de\//);
  expect(report).toMatch(/^complete skills: .*\blists\b|^ {2}lists: no sentences for /m);
  expect(report).toMatch(/^missing skills: .*\bhome\b/m);
  expect(report).toMatch(/^missing texts: none$/m);
  expect(report).toMatch(/^it loads: yes$/m);
  expect(report).toMatch(/^speech recognition: whisper-small, /m);
  expect(report).toMatch(/^voice: none is brought along; /m);
});

test('finds English whole', () => {
  const report = reportOf('en-GB');

  expect(report).toMatch(/^skills in part:\n {2}none\nmissing skills: none\nmissing texts: none$/m);
  expect(report).toMatch(/^voice: en_US-/m);
});

test('names each file, intent and text that a half-written folder lacks', () => {
  const report = reportOf('pl');

  expect(report).toMatch(/^ {2}yes-no: no sentences for no; no replies\.\w+/m);
  expect(report).toMatch(/^ {2}help: skills\/help\.yaml: line \d+: /m);
  expect(report).toMatch(/^missing skills: .*\btimers\b/m);
  expect(report).toMatch(/^missing texts: .*\bgrammar\.yaml\b/m);
  expect(report).toMatch(/^it loads: no: .*pl\/ is a language without rules/m);
});

test('knows no other language', () => {
  expect(reportOf('xx')).toBeNull();
  expect(reportOf('')).toBeNull();
});
