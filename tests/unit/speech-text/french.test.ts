import { expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createPronunciation } from '../../../api/src/speech-text/pronunciation.ts';
import { createSentenceSplitter } from '../../../api/src/speech-text/sentence-splitter.ts';
import { createSpeakable } from '../../../api/src/speech-text/speakable.ts';

const { speaking } = loadLanguage({ folder: new URL('../../../api/languages/fr/', import.meta.url) });
const speakable = createSpeakable(speaking);
const pronounced = createPronunciation(speaking);

test.each([
  ['Il est 15:20.', 'Il est 15 heures 20.'],
  ['Il est 18h05.', 'Il est 18 heures 5.'],
  ['Il est 12 h 00.', 'Il est 12 heures.'],
  ['le 1/5', 'le premier mai'],
  ['le 01/12/2026', 'le premier décembre 2026'],
  ['5 M€', "5 millions d'euros"],
  ['1/2 l de lait', 'un demi-litre de lait'],
  ['au XXIe siècle', 'au vingt et unième siècle'],
  ['Il est 15:05.', 'Il est 15 heures 5.'],
  ['Je te réveille demain à 7:00.', 'Je te réveille demain à 7 heures.'],
  ['Il est 1:10.', 'Il est une heure 10.'],
  ['Il est 21:30.', 'Il est vingt et une heures 30.'],
  ['Il est 0:00.', 'Il est minuit.'],
  ['Encore 21 minutes.', 'Encore vingt et une minutes.'],
  ['121 minutes', '121 minutes'],
  ['Ça coûte 3,50 €.', 'Ça coûte 3 euros 50.'],
  ['Il fait -3,5 °C.', 'Il fait moins 3,5 degrés Celsius.'],
  ['1,5 kg, 2 kg', '1,5 kilogramme, 2 kilogrammes'],
  ['2\u202f000 grammes', '2000 grammes'],
  ['À 5 km/h, p. ex. 30 min', 'À 5 kilomètres-heure, par exemple 30 minutes'],
  ['Un fichier de 5 kB', 'Un fichier de 5 kilooctets'],
  ['le 1er mai 2026', 'le premier mai 2026'],
  ['24/12/2026', '24 décembre 2026'],
  ['Louis XIV', 'Louis 14'],
  ['au XXIe siècle et au XIX siècle', 'au vingt et unième siècle et au 19e siècle'],
  ['Chère Mme Martin', 'Chère madame Martin'],
])('says "%s" in French', (text, said) => {
  expect(pronounced(speakable(text))).toBe(said);
});

test.each([
  ['M. Dupont arrive. Bien.', ['M. Dupont arrive.', 'Bien.']],
  ['Nous sommes le samedi 21 novembre. Il pleut.', ['Nous sommes le samedi 21 novembre.', 'Il pleut.']],
  ['Ça va ? Oui !', ['Ça va ?', 'Oui !']],
  ['Ajouté à la liste : lait. Merci.', ['Ajouté à la liste : lait.', 'Merci.']],
])('splits "%s" into its sentences', (text, sentences) => {
  const splitter = createSentenceSplitter(speaking);

  expect([...splitter.push(text), ...splitter.end()]).toEqual(sentences);
});
