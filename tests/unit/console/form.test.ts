import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { isFoundBy, labelIn } from '../../../console/src/settings/basics.ts';
import {
  changesOf,
  fieldOfParam,
  formFieldsOf,
  formTextOf,
  isChanged,
  isSame,
  readField,
} from '../../../console/src/settings/form.ts';

const contract: unknown = load(readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8'));
const { components } = z
  .object({
    components: z.object({
      schemas: z.looseObject({ Pipeline: z.looseObject({ properties: z.record(z.string(), z.unknown()) }) }),
    }),
  })
  .parse(contract);
const fields = formFieldsOf(components.schemas.Pipeline);
const field = (key: string) => {
  const found = fields.find((each) => each.key === key);
  if (!found) throw new Error(`There is no setting ${key}.`);
  return found;
};

describe('the settings form', () => {
  test('has a field for every setting of the contract, with its meaning', () => {
    expect(fields.map(({ key }) => key)).toEqual(Object.keys(components.schemas.Pipeline.properties));
    for (const { key, hint, group, label } of fields) {
      expect(hint, key).toMatch(/\.$/);
      expect(group, key).not.toBe('Other');
      expect(label, key).toMatch(/^[A-Z]/);
    }
  });

  test('gives every setting another name', () => {
    expect(new Set(fields.map(labelIn)).size).toBe(fields.length);
    expect(labelIn({ key: 'default_list', label: 'default_list' })).toBe('Default list');
  });

  test.each([
    ['persona', 'long'],
    ['speed', 'number'],
    ['end_silence_ms', 'number'],
    ['tools', 'switch'],
    ['voice', 'text'],
    ['hints', 'words'],
    ['mcp_servers', 'json'],
  ])('shows %s as %s', (key, kind) => {
    expect(field(key).kind).toBe(kind);
  });

  test('shows every default as a text that reads back the same', () => {
    for (const each of fields) {
      expect(readField(each, formTextOf(each, each.defaultValue)), each.key).toEqual({
        value: each.defaultValue,
      });
    }
  });

  test.each([
    ['speed', '1,5', { value: 1.5 }],
    ['speed', 'fast', { wrong: 'This must be a number.' }],
    ['speed', '', { wrong: 'This must be a number.' }],
    ['speed', '3', { wrong: 'At most 2.' }],
    ['end_silence_ms', '9', { wrong: 'At least 200.' }],
    ['end_silence_ms', '250.5', { wrong: 'This must be a whole number.' }],
    ['hints', ' Anna \n\nBörek', { value: ['Anna', 'Börek'] }],
    ['hints', Array(41).fill('x').join('\n'), { wrong: 'At most 40 lines.' }],
    ['mcp_servers', '[', { wrong: 'This is not valid JSON.' }],
    ['quiet_from', '', { value: null }],
    ['memory_mb', '', { value: null }],
    ['memory_mb', '0', { wrong: 'At least 1.' }],
    ['quiet_from', '25:00', { wrong: 'Enter a time like 22:00.' }],
    ['quiet_from', '22:00', { value: '22:00' }],
    ['persona', 'x'.repeat(2_001), { wrong: 'At most 2000 characters.' }],
    ['tools', 'true', { value: true }],
  ])('reads %s "%s" as %j', (key, text, expected) => {
    expect(readField(field(key), text)).toEqual(expected);
  });

  test.each([
    ['speed', 'speed'],
    ['mcp_servers.0.name', 'mcp_servers'],
    ['/hints/3', 'hints'],
    [null, null],
  ])('shows an error about %s at %s', (param, key) => {
    expect(fieldOfParam(param)).toBe(key);
  });

  test('ignores an invalid schema', () => {
    expect([null, 7, 'x', [], {}, { properties: null }].map(formFieldsOf)).toEqual(Array(6).fill([]));
    expect(isSame({ a: [1] }, { a: [1] })).toBe(true);
  });
});

describe('an edit of the settings', () => {
  test.each([
    ['speed', undefined, 1, false],
    ['speed', '1', 1, false],
    ['speed', '1,0', 1, false],
    ['speed', '1.5', 1, true],
    ['speed', 'fast', 1, true],
    ['hints', 'Anna\n', ['Anna'], false],
  ])('%s, %j over %j, is a change: %s', (key, typed, value, expected) => {
    expect(isChanged(field(key), typed, value)).toBe(expected);
  });

  test('is sent as values, by key', () => {
    const typed = [
      { field: field('speed'), text: '1,5' },
      { field: field('hints'), text: 'Anna\nBörek' },
    ];

    expect(changesOf(typed)).toEqual({ changes: { speed: 1.5, hints: ['Anna', 'Börek'] } });
  });

  test('is not sent while a field is invalid', () => {
    const typed = [
      { field: field('speed'), text: '1,5' },
      { field: field('end_silence_ms'), text: '9' },
    ];

    expect(changesOf(typed)).toEqual({ key: 'end_silence_ms', wrong: 'At least 200.' });
  });
});

test.each([
  ['ring', ['ring_minutes']],
  ['longest answer', ['reply_tokens']],
  ['mcp_confirms', ['mcp_confirms']],
  ['nothing like it', []],
])('a search for "%s" finds the settings with these words', (wanted, keys) => {
  expect(fields.filter((each) => isFoundBy(wanted, each)).map(({ key }) => key)).toEqual(keys);
});
