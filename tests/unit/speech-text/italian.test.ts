import { expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createPronunciation } from '../../../api/src/speech-text/pronunciation.ts';
import { createSentenceSplitter } from '../../../api/src/speech-text/sentence-splitter.ts';
import { createSpeakable } from '../../../api/src/speech-text/speakable.ts';

const { speaking } = loadLanguage({ folder: new URL('../../../api/languages/it/', import.meta.url) });
const speakable = createSpeakable(speaking);
const pronounced = createPronunciation(speaking);

test.each([
  ['Sono le 15:20.', 'Sono le 15 e 20.'],
  ['Alle 7.30.', 'Alle 7 e 30.'],
  ['le 10.000 persone', 'le 10.000 persone'],
  ['il 1° maggio', 'il primo maggio'],
  ["l'1/5/2026", 'il primo maggio 2026'],
  ['5 mln di €', '5 milioni di euro'],
  ['2x al giorno', '2 volte al giorno'],
  ['Sono le 15:05.', 'Sono le 15 e 5.'],
  ["È l'1:20.", "È l'una e 20."],
  ["Ti sveglio domani all'1:00.", "Ti sveglio domani all'una."],
  ['Ti sveglio domani alle 7:00.', 'Ti sveglio domani alle 7.'],
  ["Ti ricordo l'8 marzo alle 9:30.", "Ti ricordo l'8 marzo alle 9 e 30."],
  ['Mancano 21 minuti.', 'Mancano 21 minuti.'],
  ['Costa 3,50 €.', 'Costa 3 euro 50.'],
  ['Ci sono -3,5 °C.', 'Ci sono meno 3,5 gradi.'],
  ['1 kg, 2 kg di pane', 'un chilo, 2 chili di pane'],
  ['A 5 km/h, p. es. 30 min', 'A 5 chilometri orari, per esempio 30 minuti'],
  ['Il 50 % di 80', 'Il 50 per cento di 80'],
  ['il 1º maggio 2026', 'il primo maggio 2026'],
  ['il 24/12/2026', 'il 24 dicembre 2026'],
  ['capitolo IV', 'capitolo 4'],
])('says "%s" in Italian', (text, said) => {
  expect(pronounced(speakable(text))).toBe(said);
});

test.each([
  ['Oggi è sabato 21 novembre. Piove.', ['Oggi è sabato 21 novembre.', 'Piove.']],
  ['Il sig. Rossi arriva. Bene.', ['Il sig. Rossi arriva.', 'Bene.']],
  ['Sono stato p. es. a Roma. Che bello!', ['Sono stato p. es. a Roma.', 'Che bello!']],
])('splits "%s" into its sentences', (text, sentences) => {
  const splitter = createSentenceSplitter(speaking);

  expect([...splitter.push(text), ...splitter.end()]).toEqual(sentences);
});
