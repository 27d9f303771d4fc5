/** Where a question with documents begins in Open WebUI: the person's own words stand behind all of them. */
const withDocuments = /^### Task:[\s\S]*<\/context>/;
const query = /^<user_query>([\s\S]*)<\/user_query>$/;

/** More words than this nobody says to a house; so long a text has something in it that it is about. */
export const mostOwnWords = 30;

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
 * What of a question is surely the person's own: all of it, what stands beside the documents of Open WebUI, or nothing. Where any of it may
 * be pasted or read out, nobody can tell how far that goes, for whoever wrote it can write the signs of its end too.
 */
export function ownWords(text: string): string {
  const beside = text.trim().replace(withDocuments, '').trim();
  const own = (query.exec(beside)?.[1] ?? beside).trim();
  return setsOff.test(own) ? '' : own;
}
