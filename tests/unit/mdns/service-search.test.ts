import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { type FoundService, serviceQuestion } from '../../../api/src/mdns/found-service.ts';
import { createServiceSearch } from '../../../api/src/mdns/service-search.ts';
import { createFakeClock } from '../../support/fakes/fake-clock.ts';

const service = '_esphomelib._tcp.local';

/** The smallest answer: the service, and its host and port. */
function answerOf(name: string): Buffer {
  const label = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([0xc0, 12])]);
  const asked = serviceQuestion(service).subarray(12, -4);
  const record = (type: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0, type, 0, 1, 0, 0, 0, 120, 0, data.length]), data]);
  const header = Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 2, 0, 0, 0, 0]);
  const place = Buffer.concat([Buffer.from([0, 0, 0, 0, 0x17, 0xa5]), Buffer.from([0])]);
  return Buffer.concat([header, asked, record(12, label), label, record(33, place)]);
}

test('a search lists each machine that answers once', async () => {
  const clock = createFakeClock();
  const network = createSocket('udp4');
  network.bind({ address: '127.0.0.1' });
  await once(network, 'listening');
  network.on('message', (question, { port, address }) => {
    expect(question).toEqual(serviceQuestion(service));
    for (const name of ['plug', 'plug', 'voice-puck']) network.send(answerOf(name), port, address);
  });
  const found: FoundService[] = [];
  const all = Promise.withResolvers<void>();
  const search = createServiceSearch({
    service,
    clock,
    addresses: () => ['127.0.0.1'],
    to: network.address(),
    onFound: (one) => {
      found.push(one);
      if (one.name === 'voice-puck') all.resolve();
    },
  });

  const [one, other] = [search.find(), search.find()];
  await all.promise;
  await clock.pass(2_000);

  const at = { host: '127.0.0.1', port: 6053, texts: new Map() };
  expect(await one).toEqual([
    { name: 'plug', ...at },
    { name: 'voice-puck', ...at },
  ]);
  expect(await other).toEqual(await one);
  network.close();
});
