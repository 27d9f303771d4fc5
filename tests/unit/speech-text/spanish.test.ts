import { expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { createSentenceSplitter } from '../../../api/src/speech-text/sentence-splitter.ts';
import { createSpeakable } from '../../../api/src/speech-text/speakable.ts';

const { speaking } = loadLanguage({ folder: new URL('../../../api/languages/es/', import.meta.url) });
const speakable = createSpeakable(speaking);

test.each([
  ['Son las 15:00.', 'Son las 15.'],
  ['A las 8 p.m.', 'A las 8 de la tarde'],
  ['5 M€', '5 millones de euros'],
  ['1.000.000 de euros', '1.000.000 de euros'],
  ['2x al día', '2 veces al día'],
  ['n.º 7, el 3.er piso, la 2.ª vez', 'número 7, el tercer piso, la segunda vez'],
  ['2 cdas. de aceite', '2 cucharadas de aceite'],
  ['½ h', 'media hora'],
  ['Es la 1:00.', 'Es la 1.'],
  ['Te despierto a las 0:00.', 'Te despierto a las 12 de la noche.'],
  ['Cuesta 3,50 €.', 'Cuesta 3 euros 50.'],
  ['Hay -3,5 °C.', 'Hay menos 3,5 grados.'],
  ['A 5 km/h, p. ej. 30 min', 'A 5 kilómetros por hora, por ejemplo 30 minutos'],
  ['1 kg de pan', '1 kilo de pan'],
  ['El 50 % de 80', 'El 50 por ciento de 80'],
  ['capítulo IV', 'capítulo 4'],
  ['el 24/12/2026', 'el 24 de diciembre de 2026'],
])('says "%s" in Spanish', (text, said) => {
  expect(speakable(text)).toBe(said);
});

test.each([
  ['Hoy es sábado, 21 de noviembre. Llueve.', ['Hoy es sábado, 21 de noviembre.', 'Llueve.']],
  ['La Sra. López viene. ¿Vale?', ['La Sra. López viene.', '¿Vale?']],
  ['Estuve p. ej. en Roma. ¡Qué bien!', ['Estuve p. ej. en Roma.', '¡Qué bien!']],
])('splits "%s" into its sentences', (text, sentences) => {
  const splitter = createSentenceSplitter(speaking);

  expect([...splitter.push(text), ...splitter.end()]).toEqual(sentences);
});
