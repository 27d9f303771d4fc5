import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../../console');
const files = globSync('{src/**/*.{ts,tsx},public/*.{html,js},*.html}', { cwd: root });

/** Word order and phrases that no English-speaking engineer would write on a page. */
const foreign = [
  /\bReally\b.*\?/,
  /\bThere (?:is|are) none\b/,
  /\bany ?more\b/,
  /\bnone of\b/i,
  /\ball the same\b/,
  /\btakes? (?:it )?away\b/i,
  /\bdoes not tell\b/,
  /\b(?:so often|so long|of its own|is looked after|comes free|nobody|whoever|as is|at the most)\b/i,
  /(?:^|[.>"'`] ?)(?:What|Who|Where|That which)\b(?!.*\?)(?! is new| was said)/,
  // Only Home Assistant's are called tokens: people know Hearth's as access keys.
  /\b(?:a|an|the|this|another|or|no|separate|your|of) tokens?\b|>Tokens?\b/i,
  /\bis kept\b/,
  /\bput (?:it )?back\b/i,
  /\bstart(?:s|ed)? again\b/i,
];

/** The source with its comments blanked, so that its lines keep their numbers. */
const withoutComments = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|(?<=[;,{]) \/\/ .*$/gm, (comment) =>
    comment.replaceAll(/[^\n]/g, ' '),
  );

/** Lines that a person may read: text between tags, and quoted words. */
const isText = (line: string): boolean =>
  /^\s*[A-Z“][^=;{}()]*$|>[^<]*[a-z ]+|["'`][^"'`]* [^"'`]*["'`]/.test(line);

test('says every text of the page in plain English', () => {
  const lines = files.flatMap((file) =>
    withoutComments(readFileSync(join(root, file), 'utf8'))
      .split('\n')
      .filter((line) => !/^\s*(?:import|export) /.test(line) && isText(line))
      .map((line) => ({ file, line: line.trim() })),
  );

  expect(lines.length).toBeGreaterThan(600);
  expect(lines.filter(({ line }) => foreign.some((phrase) => phrase.test(line)))).toEqual([]);
});
