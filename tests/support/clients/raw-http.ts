import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { checkResponse } from './contract-check.ts';

interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** The end of what a caller sends: it still reads the answer. */
export const end = Symbol('end');

/** Writes bytes to the server unchanged, one write per piece, and reads until the server closes. */
export async function sendRaw(port: number, ...pieces: (string | Buffer | typeof end)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.setNoDelay();
  for (const piece of pieces) {
    if (piece === end) socket.end();
    else socket.write(piece);
    await new Promise(setImmediate);
  }
  socket.setTimeout(10_000, () => socket.destroy(new Error('the server does not close the connection')));
  return text(socket);
}

/** Parses all responses on one connection, and checks each against the contract for this path. */
export function parseAnswers(
  received: string,
  { method, path }: { method: string; path: string },
): RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = Buffer.from(received);
  while (rest.length > 0) {
    const headEnd = rest.indexOf('\r\n\r\n');
    if (headEnd < 0) throw new Error(`no response: ${rest}`);
    const [first = '', ...lines] = rest.subarray(0, headEnd).toString().split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodyEnd = headEnd + 4 + Number(headers['content-length'] ?? 0);
    const answer = {
      status: Number(first.split(' ')[1]),
      headers,
      text: rest.subarray(headEnd + 4, bodyEnd).toString(),
    };
    checkResponse({ method, path, ...answer });
    answers.push(answer);
    rest = rest.subarray(bodyEnd);
  }
  return answers;
}
