import { expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createSentenceSplitter } from '../../../api/src/speech-text/sentence-splitter.ts';
import { createSpeakable } from '../../../api/src/speech-text/speakable.ts';

const { speaking } = loadLanguage({ folder: new URL('../../../api/languages/de/', import.meta.url) });
const speakable = createSpeakable(speaking);

test.each([
  ['Es ist 15:20 Uhr.', 'Es ist 15 Uhr 20.'],
  ['Ich wecke dich um 7:00 Uhr.', 'Ich wecke dich um 7 Uhr.'],
  ['Es ist 0:05 Uhr.', 'Es ist 0 Uhr 5.'],
  ['Das kostet 3,50 €.', 'Das kostet 3 Euro 50.'],
  ['Es sind -3,5 °C.', 'Es sind minus 3,5 Grad Celsius.'],
  ['Mit 5 km/h, z. B. 30 min', 'Mit 5 Kilometer pro Stunde, zum Beispiel 30 Minuten'],
  ['Kapitel IV', 'Kapitel 4'],
  ['Um 18.05 Uhr.', 'Um 18 Uhr 5.'],
  ['am 1.5.2026', 'am 1. Mai 2026'],
  ['5 Mio. €', '5 Millionen Euro'],
  ['1 Mrd. €', 'eine Milliarde Euro'],
  ['1.000.000 Menschen', '1.000.000 Menschen'],
  ['192.168.100.200', '192 Punkt 168 Punkt 100 Punkt 200'],
  ['Mo. bis Fr. 8–17 Uhr', 'Montag bis Freitag 8 bis 17 Uhr'],
  ['Fr. 8 Uhr, Fr. Müller', 'Freitag 8 Uhr, Frau Müller'],
  ['1 Std. 30 Min. backen', '1 Stunde 30 Minuten backen'],
  ['Hast du „Milch“ gesagt?', 'Hast du „Milch“ gesagt?'],
  ['„Milch“ steht schon da. „Eier“ auch.', '„Milch“ steht schon da. „Eier“ auch.'],
  ['Warte... „Milch“ und ‚Eier‘', 'Warte. „Milch“ und ‚Eier‘'],
  ['½ l Milch, d. h. viel', 'ein halber Liter Milch, das heißt viel'],
])('says "%s" in German', (text, said) => {
  expect(speakable(text)).toBe(said);
});

test.each([
  ['Heute ist Samstag, 21. November. Es regnet.', ['Heute ist Samstag, 21. November.', 'Es regnet.']],
  ['Er kam am 3. an. Dann ging er.', ['Er kam am 3. an.', 'Dann ging er.']],
  ['Ich war z. B. in Rom. Schön!', ['Ich war z. B. in Rom.', 'Schön!']],
  ['Dr. Müller kommt. Gut.', ['Dr. Müller kommt.', 'Gut.']],
])('splits "%s" into its sentences', (text, sentences) => {
  const splitter = createSentenceSplitter(speaking);

  expect([...splitter.push(text), ...splitter.end()]).toEqual(sentences);
});
