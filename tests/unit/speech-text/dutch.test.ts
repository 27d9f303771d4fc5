import { expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createSentenceSplitter } from '../../../api/src/speech-text/sentence-splitter.ts';
import { createSpeakable } from '../../../api/src/speech-text/speakable.ts';

const { speaking } = loadLanguage({ folder: new URL('../../../api/languages/nl/', import.meta.url) });
const speakable = createSpeakable(speaking);

test.each([
  ['Het is 15:20 uur.', 'Het is 15 uur 20.'],
  ['Het is 18.05 uur.', 'Het is 18 uur 5.'],
  ['op 01-12-2026', 'op 1 december 2026'],
  ['7 - 2 = 5', '7 minus 2 is gelijk aan 5'],
  ['ma. t/m vr. 8–17 uur', 'maandag tot en met vrijdag 8 tot 17 uur'],
  ['Ik wek je morgen om 7:00 uur.', 'Ik wek je morgen om 7 uur.'],
  ['Het is 0:05 uur.', 'Het is 0 uur 5.'],
  ['Dat kost € 3,50.', 'Dat kost 3 euro 50.'],
  ['Het is -3,5 °C.', 'Het is min 3,5 graden.'],
  ['1 kg, 2 kg brood', '1 kilo, 2 kilo brood'],
  ['Met 5 km/u, bijv. 30 min', 'Met 5 kilometer per uur, bijvoorbeeld 30 minuten'],
  ['50 % van 80', '50 procent van 80'],
  ['op 24/12/2026', 'op 24 december 2026'],
  ['op 5 mei 2026', 'op 5 mei 2026'],
  ['hoofdstuk IV', 'hoofdstuk 4'],
])('says "%s" in Dutch', (text, said) => {
  expect(speakable(text)).toBe(said);
});

test.each([
  [
    'Vandaag is het zaterdag 21 november. Het regent.',
    ['Vandaag is het zaterdag 21 november.', 'Het regent.'],
  ],
  ['Dhr. Jansen komt. Goed.', ['Dhr. Jansen komt.', 'Goed.']],
  ['Ik was bijv. in Rome. Mooi!', ['Ik was bijv. in Rome.', 'Mooi!']],
])('splits "%s" into its sentences', (text, sentences) => {
  const splitter = createSentenceSplitter(speaking);

  expect([...splitter.push(text), ...splitter.end()]).toEqual(sentences);
});
