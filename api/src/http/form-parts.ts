import { AppError } from '../errors.ts';

/** One part of a form: a text or a file. */
export interface FormPart {
  name: string;
  /** It has a file name, in any form. */
  isFile: boolean;
  /** Its content type; undefined if the part names none. */
  type: string | undefined;
  bytes: Buffer;
}

/** A line with the boundary, from the line end before it to the first byte behind it. */
interface Delimiter {
  from: number;
  to: number;
  isLast: boolean;
}

const lineEnd = '\r\n';
const headEnd = Buffer.from('\r\n\r\n');
const maxParts = 100;
/** More than the 70 characters that RFC 2046 allows. */
const maxBoundary = 250;
/** Spaces that may follow a boundary in its line. */
const maxPadding = 80;

/**
 * Splits a form into its parts (RFC 7578). Throws `invalid_request` with the reason. Node's own parser gives
 * no reason, and mistakes a short boundary inside a recording for a delimiter. It also rejects folded
 * headers, escaped quotes, and file names that are not UTF-8.
 */
export function formParts(body: Buffer, contentType: string): FormPart[] {
  const nextFrom = delimiterFinder(body, boundaryOf(contentType));
  const parts: FormPart[] = [];
  let open = nextFrom(0);
  if (open === null) throw noForm('No line of the body is the boundary of the "Content-Type"');
  while (!open.isLast) {
    const close = nextFrom(open.to);
    if (close === null) throw noForm('The form is cut off: the boundary behind its last part is missing');
    if (parts.length === maxParts) throw noForm(`The form has more than ${maxParts} parts`);
    parts.push(partOf(body.subarray(open.to, close.from)));
    open = close;
  }
  return parts;
}

function boundaryOf(contentType: string): string {
  const boundary = parametersOf(contentType).get('boundary') ?? '';
  if (boundary === '' || boundary.length > maxBoundary)
    throw noForm('The "Content-Type" has no valid boundary');
  return boundary;
}

function delimiterFinder(body: Buffer, boundary: string) {
  const dashes = Buffer.from(`--${boundary}`, 'latin1');
  return (from: number): Delimiter | null => {
    for (let at = body.indexOf(dashes, from); at >= 0; at = body.indexOf(dashes, at + 1)) {
      const behind = at + dashes.length;
      const [rest, last] =
        /^(--)|^[ \t]*\r\n/.exec(body.toString('latin1', behind, behind + maxPadding)) ?? [];
      const begins = at === 0 || body.toString('latin1', at - 2, at) === lineEnd;
      if (begins && rest !== undefined)
        return { from: Math.max(0, at - 2), to: behind + rest.length, isLast: last !== undefined };
    }
    return null;
  };
}

/** Reads a part, which begins with its headers. */
function partOf(part: Buffer): FormPart {
  const end = part.indexOf(headEnd);
  const head = part.toString('latin1', 0, Math.max(0, end)).replaceAll(/\r\n[ \t]+/g, ' ');
  const disposition = /^content-disposition:\s*form-data\b(.*)$/im.exec(head)?.[1] ?? '';
  const parameters = parametersOf(disposition);
  const name = parameters.get('name');
  if (name === undefined) throw noForm('A part of the form has no name');
  return {
    name: Buffer.from(name, 'latin1').toString(),
    isFile: parameters.has('filename') || parameters.has('filename*'),
    type: /^content-type:[ \t]*(\S.*)$/im.exec(head)?.[1]?.trim(),
    bytes: part.subarray(end + headEnd.length),
  };
}

/** The parameters of a header: bare, or in quotes with escapes. */
function parametersOf(header: string): ReadonlyMap<string, string> {
  const written = header.matchAll(/;\s*([\w*]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]*))/g);
  return new Map(
    [...written].map(([, name = '', quoted, bare = '']) => [
      name.toLowerCase(),
      quoted?.replaceAll(/\\(.)/g, '$1') ?? bare,
    ]),
  );
}

function noForm(why: string): AppError {
  return new AppError('invalid_request', `${why}. Send a form as multipart/form-data.`);
}
