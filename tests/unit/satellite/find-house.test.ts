import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { addressesOf, findHouse, firstTrusted } from '../../../satellite/find-house.ts';

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

const pointer = 12;
const [text, address4, place] = [16, 1, 33];

/** A name as DNS writes it. */
const named = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);

function recordOf(name: string, type: number, data: Buffer): Buffer {
  const header = Buffer.from([0, type, 0, 1, 0, 0, 0, 120, 0, data.length]);
  return Buffer.concat([named(name), header, data]);
}

/** The announcement of a service, as every responder of mDNS sends it. */
function announcementOf({ type = '_hearth._tcp', port = 8765, txt = 'path=/' } = {}): Buffer {
  const [service, host] = [`Hearth (pi).${type}.local`, 'hearth.local'];
  const records = [
    recordOf(`${type}.local`, pointer, named(service)),
    recordOf(service, place, Buffer.concat([Buffer.from([0, 0, 0, 0, port >> 8, port & 255]), named(host)])),
    recordOf(service, text, Buffer.concat([Buffer.from([txt.length]), Buffer.from(txt)])),
    recordOf(host, address4, Buffer.from([192, 168, 1, 5])),
  ];
  return Buffer.concat([Buffer.from([0, 0, 0x84, 0, 0, 0, 0, records.length, 0, 0, 0, 0]), ...records]);
}

describe('the search for the house', () => {
  /** A network whose machines answer the questions one after the other; null: one gets lost. */
  async function startNetwork(answers: (Buffer | null)[]) {
    const socket = createSocket('udp4');
    socket.bind({ address: '127.0.0.1' });
    await once(socket, 'listening');
    const questions: Buffer[] = [];
    socket.on('message', (question: Buffer, { port, address }: RemoteInfo) => {
      questions.push(question);
      const answer = answers.shift();
      if (answer) socket.send(answer, port, address);
    });
    const at = { port: socket.address().port, ip: '127.0.0.1', multicast: false, bind: false } as const;
    const search = async ({ maxMs = 20_000 } = {}) => {
      const found = await findHouse({ signal: AbortSignal.timeout(20_000), at, askEveryMs: 20, maxMs });
      socket.close();
      return found?.href ?? null;
    };
    return { search, questions };
  }

  test('asks for the service and returns the address of the one that answers', async () => {
    const { search, questions } = await startNetwork([announcementOf({ port: 8_766 })]);

    expect(await search()).toBe('http://192.168.1.5:8766/');
    expect(questions[0]?.includes(named('_hearth._tcp.local'))).toBe(true);
  });

  test('asks again when the network has lost the question', async () => {
    const { search } = await startNetwork([null, null, announcementOf()]);

    expect(await search()).toBe('http://192.168.1.5:8765/');
  });

  test('ignores other services and broken answers', async () => {
    const broken = announcementOf().subarray(0, 40);
    const { search } = await startNetwork([announcementOf({ type: '_http._tcp' }), broken, announcementOf()]);

    expect(await search()).toBe('http://192.168.1.5:8765/');
  });

  test('ends without an answer', async () => {
    const { search } = await startNetwork([]);

    expect(await search({ maxMs: 100 })).toBeNull();
  });
});
