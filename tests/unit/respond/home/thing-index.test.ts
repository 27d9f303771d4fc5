import { expect, test } from 'vitest';
import { createGrammar } from '../../../../api/src/language/grammar/grammar.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createThingIndex } from '../../../../api/src/respond/home/thing-index.ts';
import { homeShape } from '../../../../api/src/respond/home/understand/home-shape.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { words } = loadSkill(language.files, 'home', homeShape);
const { readWords } = createGrammar(language.grammar);
const index = createThingIndex(words, readWords);
index.learn([
  { id: 'lock.yale', names: ['Yale'], deviceClass: null, device: ['Front door'], place: ['Porch'] },
  { id: 'cover.bay', names: ['Bay'], deviceClass: 'curtain', device: [], place: ['Bedroom'] },
  { id: 'cover.skylight', names: ['Skylight'], deviceClass: 'blind', device: [], place: ['Attic'] },
  { id: 'cover.attic', names: ['Velvet'], deviceClass: 'curtain', device: [], place: ['Attic'] },
  { id: 'switch.washer', names: ['Washer'], deviceClass: 'outlet', device: [], place: ['Laundry'] },
  { id: 'light.lantern', names: ['Lantern'], deviceClass: null, device: ['LIFX'], place: ['Porch'] },
  { id: 'light.emma', names: ["Emma's nightlight"], deviceClass: null, device: [], place: ["Emma's Room"] },
]);

test.each([
  ['the porch lock', ['lock.yale']],
  ['the lock on the porch', ['lock.yale']],
  ['the light in the porch', ['light.lantern']],
  // People say blinds for curtains, where there is nothing else.
  ['the bedroom blinds', ['cover.bay']],
  ['the blinds in the bedroom', ['cover.bay']],
  ['the attic blinds', ['cover.skylight']],
  ['the blinds', ['cover.skylight']],
  ['the laundry smart plug', ['switch.washer']],
  // With and without an apostrophe.
  ["emma's light", ['light.emma']],
  ['emmas light', ['light.emma']],
  // A verb that is also a kind of thing.
  ['lock the front door', []],
  ['light the porch', []],
])('finds the things that %j describes', (text, ids) => {
  expect(index.find(text)).toEqual(ids);
});
