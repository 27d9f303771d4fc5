import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { addressesOf, firstTrusted } from '../../../satellite/find-house.ts';

const server = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
afterAll(() => server.close());

test.each([
  [{ addresses: ['fe80::1', '192.168.1.5'], port: 8765, txt: { path: '/' } }, ['http://192.168.1.5:8765/']],
  [
    { addresses: ['192.168.1.5'], port: 8765, txt: { path: '/', https_port: '8443' } },
    ['https://192.168.1.5:8443/', 'http://192.168.1.5:8765/'],
  ],
  [{ referer: { address: 'fe80::1' }, port: 8765 }, ['http://[fe80::1]:8765/']],
  [{ addresses: ['192.168.1.5'], port: 8765, txt: { https_port: 'x' } }, ['http://192.168.1.5:8765/']],
  [{ port: 8765 }, []],
])('the addresses for %j', (announced, ways) => {
  expect(addressesOf(announced).map(({ href }) => href)).toEqual(ways);
});

test('the satellite uses https if it answers and is trusted, and http otherwise', async () => {
  if (!server.listening) await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const signal = AbortSignal.timeout(10_000);
  const [plain, encrypted] = [`http://127.0.0.1:${port}`, `https://127.0.0.1:${port}`].map(
    (url) => new URL(url),
  );
  if (!plain || !encrypted) throw new Error('two addresses');

  // Without https there, which is like an untrusted certificate.
  const otherwise = await firstTrusted([encrypted, plain], signal);
  // Returns the first address in order that answers.
  const asked = await firstTrusted([plain, encrypted], signal);

  expect([otherwise, asked]).toEqual([plain, plain]);
});
