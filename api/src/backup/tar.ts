import { BackupError } from './backup-file.ts';

const blockBytes = 512;
/** Positions of the POSIX header fields. */
const at = { name: [0, 100], size: [124, 136], checksum: [148, 156], type: [156, 157] } as const;
/** Types of metadata entries, such as long names, which GNU tar and others write before a file. */
const aside = new Set(['L', 'K', 'x', 'g']);
/** Entries that a Hearth backup may contain. */
const known =
  /^hearth\/?$|^hearth\/(?:redis\.jsonl|secrets\.env|\.env|household-ca\.pem|languages(?:\/[^/]+)*\/?)$/;

const foreign = () => new BackupError('This is not a backup of Hearth.');
const damaged = () => new BackupError('The backup is damaged: it ends too early.');

/** Writes a tar archive with one file of known size. */
export async function* tarOf(
  file: { name: string; sizeBytes: number; madeAt: Date },
  content: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  yield headerOf(file);
  yield* content;
  yield Buffer.alloc(paddingOf(file.sizeBytes) + 2 * blockBytes);
}

/**
 * Yields the content of one file of an archive, and reads the archive to its end. Rejects entries that a
 * Hearth backup does not contain.
 */
export async function* fileInTar(chunks: AsyncIterable<Buffer>, name: string): AsyncGenerator<Buffer> {
  const read = createReader(chunks);
  let isFound = false;
  for (let header = await read.block(); header !== null && header[0] !== 0; header = await read.block()) {
    const entry = entryOf(header);
    if (entry.name === name && isFound) throw foreign();
    for await (const part of read.bytes(entry.sizeBytes)) if (entry.name === name) yield part;
    for await (const _ of read.bytes(paddingOf(entry.sizeBytes)));
    isFound ||= entry.name === name;
  }
  if (!isFound) throw foreign();
  await read.rest();
}

function entryOf(header: Buffer): { name: string; sizeBytes: number } {
  const text = ([from, to]: readonly [number, number]) =>
    header.toString('latin1', from, to).split('\0', 1)[0] ?? '';
  if (Number.parseInt(text(at.checksum), 8) !== checksumOf(header)) throw foreign();
  const [name, type, size] = [text(at.name), text(at.type), text(at.size).trim()];
  if (!/^[0-7]+$/.test(size)) throw foreign();
  const sizeBytes = Number.parseInt(size, 8);
  if (aside.has(type)) return { name: '', sizeBytes };
  const isPlain = type === '' || type === '0' || type === '5';
  if (!isPlain || !known.test(name) || name.split('/').includes('..')) throw foreign();
  return { name, sizeBytes };
}

function headerOf({ name, sizeBytes, madeAt }: { name: string; sizeBytes: number; madeAt: Date }): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, from: number, length: number) =>
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, from, 'latin1');
  header.write(name, at.name[0], 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(sizeBytes, at.size[0], 12);
  octal(Math.floor(madeAt.getTime() / 1_000), 136, 12);
  header.write('0', at.type[0], 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, at.checksum[0], 'latin1');
  return header;
}

/** Sum of all bytes, with the checksum field counted as spaces. */
function checksumOf(header: Buffer): number {
  const [from, to] = at.checksum;
  const space = 0x20;
  return header.reduce((sum, byte, index) => sum + (index >= from && index < to ? space : byte), 0);
}

function paddingOf(sizeBytes: number): number {
  return (blockBytes - (sizeBytes % blockBytes)) % blockBytes;
}

/** Reads the requested number of bytes from chunks. */
function createReader(chunks: AsyncIterable<Buffer>) {
  const source = chunks[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  /** Ensures at least one byte. False at the end. */
  const more = async (): Promise<boolean> => {
    while (held.length === 0) {
      const { value, done } = await source.next();
      if (done) return false;
      held = value;
    }
    return true;
  };
  async function* bytes(count: number): AsyncGenerator<Buffer> {
    let left = count;
    while (left > 0) {
      if (!(await more())) throw damaged();
      const part = held.subarray(0, left);
      held = held.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }
  return {
    bytes,
    /** Null at the end. */
    async block(): Promise<Buffer | null> {
      if (!(await more())) return null;
      const parts: Buffer[] = [];
      for await (const part of bytes(blockBytes)) parts.push(part);
      return Buffer.concat(parts);
    },
    async rest(): Promise<void> {
      while (await more()) held = Buffer.alloc(0);
    },
  };
}
