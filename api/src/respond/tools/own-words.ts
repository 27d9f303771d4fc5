/** The start of a question with documents in Open WebUI. The person's own words come after all documents. */
const withDocuments = /^### Task:[\s\S]*<\/context>/;
const query = /^<user_query>([\s\S]*)<\/user_query>$/;

/** Nobody says more words than this to a house. A longer text has something pasted into it. */
export const maxOwnWords = 30;

/**
 * Signs that set off words of others: a line of their own, any quotation mark, a colon that is none of a time, a dash between words, code, tags.
 * An apostrophe within or behind a word is none.
 */
const setsOff = new RegExp(
  [
    '[\\r\\n\\v\\f\\u0085\\u2028\\u2029]',
    '["\\u201c-\\u201f\\u2039\\u203a\\u00ab\\u00bb\\u300c-\\u300f\\u301d-\\u301f\\uff02`\\u00b4]',
    "(?<![\\p{L}\\p{N}])['\\u2018-\\u201b\\uff07](?=\\S)",
    '(?<!\\d):|:(?!\\d)|\\uff1a',
    '(?<=\\s)(?:-+|[\\u2012-\\u2015])|[\\u2013-\\u2015](?=\\s)|--',
    '[<>{}|[\\]]',
  ].join('|'),
  'u',
);

/**
 * The part of a question that is surely the person's own: all of it, the part beside the documents of Open WebUI, or nothing. Where any of it may
 * be pasted or read out, nobody can tell how far that goes, because its author can write the signs of its end too.
 */
export function ownWords(text: string): string {
  const beside = text.trim().replace(withDocuments, '').trim();
  const own = (query.exec(beside)?.[1] ?? beside).trim();
  return setsOff.test(own) ? '' : own;
}
