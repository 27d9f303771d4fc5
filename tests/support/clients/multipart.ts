import type { IncomingMessage } from 'node:http';

export async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Splits a multipart form into its text fields and its file. */
export function readForm(request: IncomingMessage, body: Buffer) {
  const boundary = /boundary=(.+)$/.exec(request.headers['content-type'] ?? '')?.[1];
  const fields: Record<string, string> = {};
  let file = Buffer.alloc(0);
  for (const part of body.toString('latin1').split(`--${boundary}`).slice(1, -1)) {
    const [head = '', ...content] = part.split('\r\n\r\n');
    const name = / name="([^"]+)"/.exec(head)?.[1] ?? '';
    const bytes = Buffer.from(content.join('\r\n\r\n').replace(/\r\n$/, ''), 'latin1');
    if (name === 'file') file = bytes;
    else fields[name] = bytes.toString();
  }
  return { fields, file };
}
