const headEnd = Buffer.from('\r\n\r\n');
/** A file name in any form: quoted with escapes, bare, or encoded (RFC 5987). */
const fileNames = /;\s*filename\*?\s*=\s*(?:"(?:\\.|[^"\\])*"|[^;\r\n]*)/gi;
/** Maximum number of parts in a form. */
const maxParts = 100;

/**
 * Rewrites a form's headers for Node's parser. That rejects folded lines, escaped quotes in a file name, and
 * file names that are not UTF-8. Hearth needs no file name, so each becomes a plain one.
 */
export function plainFormHeaders(body: Buffer, contentType: string): Buffer {
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary === undefined) return body;
  const delimiter = Buffer.from(`--${boundary.trim()}\r\n`);
  const done: Buffer[] = [];
  let from = 0;
  for (let part = 0; part < maxParts; part += 1) {
    const at = body.indexOf(delimiter, from);
    const end = at < 0 ? -1 : body.indexOf(headEnd, at);
    if (end < 0) break;
    const begin = at + delimiter.length;
    const head = plainHead(body.toString('latin1', begin, end));
    done.push(body.subarray(from, begin), Buffer.from(head, 'latin1'));
    from = end;
  }
  return Buffer.concat([...done, body.subarray(from)]);
}

function plainHead(head: string): string {
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  const unnamed = unfolded.replaceAll(fileNames, '');
  return unnamed === unfolded
    ? unfolded
    : unnamed.replace(/^(content-disposition:[^\r\n]*)/im, '$1; filename="file"');
}
