/** The start of a question with documents in Open WebUI. The person's own words come after all documents. */
const withDocuments = /^### Task:[\s\S]*<\/context>/;
const query = /^<user_query>([\s\S]*)<\/user_query>$/;

/** Longer texts probably contain pasted text. */
export const maxOwnWords = 30;

/**
 * Marks that delimit pasted text: a separate line, quotation marks, a dash between words, code, tags. A colon
 * counts, except in a time. An apostrophe in or after a word does not count, nor the Dutch
 * "'s ochtends" and "'t".
 */
const setsOff = new RegExp(
  [
    '[\\r\\n\\v\\f\\u0085\\u2028\\u2029]',
    '["\\u201c-\\u201f\\u2039\\u203a\\u00ab\\u00bb\\u300c-\\u300f\\u301d-\\u301f\\uff02`\\u00b4]',
    "(?<![\\p{L}\\p{N}])['\\u2018-\\u201b\\uff07](?=\\S)(?![stn]\\s)",
    '(?<!\\d):|:(?!\\d)|\\uff1a',
    '(?<=\\s)(?:-+|[\\u2012-\\u2015])|[\\u2013-\\u2015](?=\\s)|--',
    '[<>{}|[\\]]',
  ].join('|'),
  'u',
);

/**
 * The part of a question that the person certainly wrote. Open WebUI's documents are not part of it. A
 * possible paste excludes everything, because its author can write the end marks, too.
 */
export function ownWords(text: string): string {
  const beside = text.trim().replace(withDocuments, '').trim();
  const own = (query.exec(beside)?.[1] ?? beside).trim();
  return setsOff.test(own) ? '' : own;
}
