import { withCapital } from '../capitals.ts';
import { createDurationReader } from '../en/duration-reader.ts';
import { createMeasureReader } from '../en/measure-reader.ts';
import { createMomentReader } from '../en/moment-reader.ts';
import { createSumReader } from '../en/sum-reader.ts';
import { createSpanishDateReader } from '../es/date-reader.ts';
import type { LanguageRules } from '../rules.ts';
import { createItalianNumberReader } from './number-reader.ts';
import { italianSoundsOf } from './sounds.ts';
import { createItalianTimeReader } from './time-reader.ts';

/** Prepositions that join with the article after them: "a le" is "alle". */
const joined: Readonly<Record<string, string>> = { a: 'a', da: 'da', di: 'de', in: 'ne', su: 'su' };

/** Words that change before others, and what they become. */
const agreements: readonly [before: RegExp, changed: string][] = [
  // "Sono le 0:00", "alle 0:00"
  [/\bSono le 0:00/g, 'È mezzanotte'],
  [/\balle 0:00/g, 'a mezzanotte'],
  // "Sono le 2:20", but "È l'1:20".
  [/\bSono le (?=1:\d\d)/g, 'È le '],
  [/\bsono le (?=1:\d\d)/g, 'è le '],
  [/\b([Ss]ar)anno le (?=1:\d\d)/g, '$1à le '],
  [/\b([Ee]r)ano le (?=1:\d\d)/g, '$1a le '],
  [/\b(l|all|dall|dell)e (?=1:\d\d)/gi, "$1'"],
  // "sabato 2 maggio" has no article: "Ti ricordo sabato 2 maggio", "fino a domenica 3 maggio".
  [/(?<!\p{L})il (?=\p{L}+(?:dì|bato|nica) \d)/gu, ''],
  [/(?<!\p{L})al (?=\p{L}+(?:dì|bato|nica) \d)/gu, 'a '],
  // "la prima domenica", "l'ultima domenica", "l'ultimo giorno", "una domenica sì e una no".
  [/(?<!\p{L})il (prim|second|terz|quart)o (?=domenica(?!\p{L}))/gu, 'la $1a '],
  [/(?<!\p{L})il ultimo (?=domenica(?!\p{L}))/gu, "l'ultima "],
  [/(?<!\p{L})il (?=ultim[oa](?!\p{L}))/gu, "l'"],
  [/(?<!\p{L})un domenica sì e uno no(?!\p{L})/gu, 'una domenica sì e una no'],
  // "mancano due minuti", but "manca un minuto".
  [/\b([Mm]anc)ano (?=un[ao]? |un')/g, '$1a '],
  // "l' acqua", "succo d' arancia": words as they were read.
  [/(?<!\p{L})(l|d|un|mezz|quest|quell)' (?=\p{L})/giu, "$1'"],
  // "pane ed erbe", but "pane e uova".
  [/(?<=\p{L}) e (?=[eèé]\p{L})/gu, ' ed '],
];

/** "a la lista", "di il", "in l'isola": a preposition and an article become one word. */
const apart = /(?<!\p{L})(a|da|di|in|su) (?:(il|lo|la|i|gli|le) (?=[\p{L}\d])|(l') ?(?=\p{L}))/giu;
/** "il 7 maggio", but "l'8 maggio"; "al 7", but "all'11". */
const elided = /(?<!\p{L})([Ii]l|[Aa]l|[Dd]al|[Dd]el) (?=(?:8|11)(?![\d.,:]*\d))/gu;

function agreed(text: string): string {
  const joinedText = text.replace(apart, (_, before: string, article?: string, short?: string) => {
    const stem =
      before.slice(0, 1) === before.slice(0, 1).toLowerCase()
        ? joined[before]
        : withCapital(joined[before.toLowerCase()] ?? '');
    if (short !== undefined) return `${stem}l${short}`;
    if (article === 'il') return `${stem}l `;
    return article === 'i' || article === 'gli' ? `${stem}${article} ` : `${stem}l${article} `;
  });
  const shortened = joinedText.replace(elided, (_, word: string) => elisions[word] ?? `${word}l'`);
  return agreements.reduce((said, [before, changed]) => said.replace(before, changed), shortened);
}

const elisions: Readonly<Record<string, string>> = { il: "l'", Il: "L'" };

/** Italian. Durations, moments, sums and measures have the order of English, dates that of Spanish. */
export const italian: LanguageRules = {
  formOf: (count) => (String(count) === '1' ? 'one' : 'other'),
  // "1º maggio", but "2 maggio".
  ordinalOf: (place) => (place === 1 ? 'one' : 'other'),
  soundsOf: italianSoundsOf,
  agreed,
  createNumberReader: createItalianNumberReader,
  createDateReader: createSpanishDateReader,
  createTimeReader: createItalianTimeReader,
  createDurationReader,
  createMomentReader,
  createSumReader,
  createMeasureReader,
};
