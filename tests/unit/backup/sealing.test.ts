import { describe, expect, test } from 'vitest';
import { seal, unseal } from '../../../api/src/backup/sealing.ts';

/** Ten times as fast. */
const quick = { N: 2 ** 14, r: 8, p: 1 };
const passphrase = 'correct horse battery';

async function* inPieces(bytes: Buffer, size = 10_007): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
async function joined(parts: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all);
}
const sealed = async (plain: Buffer) => joined(seal(inPieces(plain), passphrase, quick));
const opened = (bytes: Buffer, by = passphrase) => joined(unseal(inPieces(bytes), by));

const frame = 65_536;
const plain = Buffer.alloc(2 * frame + 5_000, 'what was said ');
const headOf = (bytes: Buffer) => bytes.indexOf(10) + 1;

describe('a sealed stream', () => {
  test.each([0, 1, frame - 1, frame, frame + 1, 3 * frame])(
    'of %i bytes unseals to the same bytes',
    async (size) => {
      const bytes = plain.length >= size ? plain.subarray(0, size) : Buffer.alloc(size, 'x');

      expect((await opened(await sealed(bytes))).equals(bytes)).toBe(true);
    },
  );

  test('states its method, and differs each time', async () => {
    const usual = () => joined(seal(inPieces(plain), passphrase));
    const [one, other] = [await usual(), await usual()];

    expect(JSON.parse(one.subarray(0, headOf(one)).toString())).toMatchObject({
      hearth: 'encrypted backup',
      form: 1,
      cipher: 'aes-256-gcm',
      kdf: 'scrypt',
      N: 32_768,
      r: 8,
      p: 3,
    });
    expect(one.equals(other)).toBe(false);
  });

  const whole = frame + 16;
  test.each<[string, (bytes: Buffer) => Buffer]>([
    ['is cut in a frame', (bytes) => bytes.subarray(0, bytes.length - 100)],
    ['is cut between frames', (bytes) => bytes.subarray(0, headOf(bytes) + 2 * whole)],
    ['has lost all frames', (bytes) => bytes.subarray(0, headOf(bytes))],
    ['goes on behind its end', (bytes) => Buffer.concat([bytes, Buffer.from('x')])],
    ['has changed in one bit', (bytes) => changedAt(bytes, headOf(bytes) + whole + 20)],
    [
      'has its frames in another order',
      (bytes) => {
        const [head, first, second] = [headOf(bytes), headOf(bytes) + whole, headOf(bytes) + 2 * whole];
        const frames = [bytes.subarray(first, second), bytes.subarray(head, first), bytes.subarray(second)];
        return Buffer.concat([bytes.subarray(0, head), ...frames]);
      },
    ],
    [
      'says something else of itself',
      (bytes) => Buffer.from(bytes.toString('latin1').replace('"p":1', '"p":2'), 'latin1'),
    ],
  ])('that %s is refused', async (_what, change) => {
    const bytes = change(await sealed(plain));

    await expect(opened(bytes)).rejects.toThrow(/damaged/);
  });

  test('that would need more memory than a machine has is refused at once', async () => {
    const bytes = await sealed(plain);
    const dear = Buffer.from(bytes.toString('latin1').replace('"N":16384', '"N":1048576'), 'latin1');

    await expect(opened(dear)).rejects.toThrow('This is not an encrypted backup that this version can read.');
  });

  test('stays sealed for another passphrase, and opens for the same one in another Unicode form', async () => {
    const bytes = await joined(seal(inPieces(plain), 'Gr\u00fc\u00dfe aus Wien', quick));

    await expect(opened(bytes, 'Gruesse aus Wien')).rejects.toThrow('The passphrase is wrong');
    expect((await opened(bytes, 'Gru\u0308\u00dfe aus Wien')).equals(plain)).toBe(true);
  });
});

function changedAt(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return changed;
}
