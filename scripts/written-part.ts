import { readFileSync, writeFileSync } from 'node:fs';

interface Written {
  /** The page, under docs/. */
  page: string;
  /** The source of the part, named in the page. */
  from: string;
  text: () => string;
}

/** A generated part of a page: the text between two marks. */
export function writtenPart({ page, from, text }: Written) {
  const file = new URL(`../docs/${page}`, import.meta.url);
  const [begin, end] = [`<!-- written from ${from}: npm run docs -->`, `<!-- the end of what is written -->`];
  const compare = () => {
    const is = readFileSync(file, 'utf8');
    const [before, rest] = is.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined) throw new Error(`docs/${page} has no place for ${from}`);
    return { is, should: `${before}${begin}\n\n${text()}\n\n${end}${after}` };
  };
  return {
    /** The current page, and the expected one. */
    compare,
    write: () => writeFileSync(file, compare().should),
  };
}

export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
