import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hasOneOf } from '../../../api/src/check/words.ts';
import { communityGrammar, loadCommunity } from '../../../api/src/language/community/community.ts';
import { readCommunityFile } from '../../../api/src/language/community/community-language.ts';
import { fillJinja } from '../../../api/src/language/community/jinja.ts';
import { createGrammar } from '../../../api/src/language/grammar/grammar.ts';

const folder = mkdtempSync(join(tmpdir(), 'hearth-community-'));
afterAll(() => rmSync(folder, { recursive: true }));

const polish = {
  language: 'pl',
  skip_words: ['proszę'],
  lists: { timer_minutes: { range: { from: 1, to: 100 } }, timer_name: { wildcard: true } },
  expansion_rules: { timer: '(minutnik|timer)' },
  intents: {
    HassStartTimer: { data: [{ sentences: ['[włącz] <timer> na {timer_minutes:minutes} minut[ę|y]'] }] },
  },
  responses: { errors: {}, intents: { HassStartTimer: { default: 'Uruchomiono minutnik' } } },
};

function fileWith(content: unknown): string {
  const path = join(folder, 'pl.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Reads one sentence with the sentences of the data. */
function matched(content: unknown, text: string) {
  const data = loadCommunity(fileWith(content));
  const grammar = createGrammar(communityGrammar(data));
  const sentences = Object.entries(data.intents).flatMap(([place, { data: blocks }]) =>
    blocks.flatMap((block) => block.sentences.map((sentence) => ({ text: sentence, place }))),
  );
  return grammar.matcher({ sentences, slotTypes: {} }).match(grammar.readWords(text));
}

describe('the sentences of the community', () => {
  test('are read as hassil reads them', () => {
    const match = matched(polish, 'Proszę włącz timer na 5 minut!');

    expect(match?.slots.get('minutes')?.map(({ word }) => word)).toEqual(['5']);
  });

  test('stay whole sentences', () => {
    expect(matched(polish, 'włącz timer na 5 minut w kuchni')).toBeNull();
  });

  test.each([
    ['combining marks', 'proszę włącz timer na 5 minutę'.normalize('NFD')],
    ['digits of another script', 'timer na ٥ minut'],
  ])('are understood with %s', (_, text) => {
    expect(matched(polish, text)).not.toBeNull();
  });

  test('are not found in a text of 2,000 letters', () => {
    expect(matched(polish, 'timer na 5 minut '.repeat(118))).toBeNull();
  });

  test.each([
    ['a file that is cut off', JSON.stringify(polish).slice(0, 200), 'pl.json is damaged or cut off'],
    ['an empty file', '', 'pl.json is damaged or cut off'],
    [
      'another version',
      { ...polish, intents: { HassStartTimer: { blocks: [] } } },
      'pl.json: intents.HassStartTimer.data: Invalid input: expected array, received undefined. Hearth reads',
    ],
    [
      'a list of an unknown kind',
      { ...polish, lists: { timer_minutes: { regex: '.*' } } },
      'pl.json: lists.timer_minutes: Invalid input. Hearth reads version 2026.10.27',
    ],
  ])('are refused in %s', (_, content, message) => {
    expect(() => loadCommunity(fileWith(content))).toThrow(message);
  });

  test('are refused with a rule that holds itself', () => {
    const content = { ...polish, expansion_rules: { timer: 'timer [<other>]', other: '<timer>' } };

    expect(() => matched(content, 'timer')).toThrow('the rule <timer> holds itself');
  });

  test('are refused where they are missing', () => {
    expect(() => loadCommunity(join(folder, 'xx.json'))).toThrow(
      `The sentences of this language are not in ${join(folder, 'xx.json')}.`,
    );
  });
});

describe('a response of the community', () => {
  test.each([
    ['{{ slots.item }} dodano', 'Mleko dodano'],
    [
      "{% if slots.count < 1: %}brak{% else: %}{{ slots.count }} {{ 'szt' if slots.count | int % 10 == 2 }}{% endif %}",
      '2 szt',
    ],
    [
      "{% set all = ['1 godzina', '5 minut'] %}{{ all[:-1] | join(', ') }} i {{ all[-1] }}",
      '1 godzina i 5 minut',
    ],
    ["{{ (1 if slots.count == 1 else 'dwa' if slots.count == 2 else 'wiele') }}", 'dwa'],
    ["{{ ' Mleko '.strip().lower() }}", 'mleko'],
    ["{{ slots.name if slots.name is defined else 'bez nazwy' }}", 'bez nazwy'],
  ])('%s is said with the slots', (template, said) => {
    expect(fillJinja(template, { item: 'Mleko', count: 2 })).toBe(said);
  });

  test.each(['', '  ', 'TODO: Timer started', '{{ slots.missing }}', '{% if %}', '{{ 1 | nothing }}'])(
    '"%s" says nothing',
    (template) => {
      expect(fillJinja(template, {})).toBeNull();
    },
  );
});

describe('our sentences for the languages of the community', () => {
  const root = join(import.meta.dirname, '../../..');
  const { sentences } = readCommunityFile(join(root, 'api/languages/community.yaml'));
  const catalog = z
    .object({
      models: z.array(
        z.object({
          kind: z.string(),
          languages: z.array(z.string()),
          files: z.array(z.object({ path: z.string() })),
        }),
      ),
    })
    .parse(JSON.parse(readFileSync(join(root, 'services/models/models.json'), 'utf8')));
  const fetched = catalog.models.find(({ kind }) => kind === 'sentences');

  test('are those of the files that are fetched', () => {
    expect(Object.keys(sentences)).toEqual(fetched?.languages);
    expect(fetched?.files.map(({ path }) => path)).toEqual(fetched?.languages.map((tag) => `${tag}.json`));
  });

  test.each(Object.entries(sentences))(
    'are whole sentences: %s',
    (_tag, { shopping, time_is_up, minus, unbound, check, ...said }) => {
      const texts = Object.values(said);

      expect(new Set(texts).size).toBe(texts.length);
      // Thai ends no sentence with a mark.
      expect(texts.every((text) => /[.!?।。\u0e00-\u0e7f]$/u.test(text))).toBe(true);
      expect(check.answer.every((word) => hasOneOf(`${check.question} ${word}!`, [word]))).toBe(true);
      expect(check.answer.some((word) => hasOneOf(check.question, [word]))).toBe(false);
      expect([shopping, time_is_up, minus].filter((text) => /[.!?।。:]$/u.test(text))).toEqual([]);
    },
  );
});
