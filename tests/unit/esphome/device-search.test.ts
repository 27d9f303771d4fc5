import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createDeviceSearch } from '../../../api/src/esphome/device-search.ts';
import { deviceQuestion, type FoundDevice } from '../../../api/src/esphome/found-device.ts';
import { createFakeClock } from '../../support/fakes/fake-clock.ts';

/** The smallest answer: the service, and its host and port. */
function answerOf(name: string): Buffer {
  const label = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([0xc0, 12])]);
  const question = deviceQuestion();
  const service = question.subarray(12, -4);
  const record = (type: number, data: Buffer) =>
    Buffer.concat([Buffer.from([0, type, 0, 1, 0, 0, 0, 120, 0, data.length]), data]);
  const header = Buffer.from([0, 0, 0x84, 0, 0, 0, 0, 2, 0, 0, 0, 0]);
  const place = Buffer.concat([Buffer.from([0, 0, 0, 0, 0x17, 0xa5]), Buffer.from([0])]);
  return Buffer.concat([header, service, record(12, label), label, record(33, place)]);
}

test('a search lists each device that answers once, voice devices first', async () => {
  const clock = createFakeClock();
  const network = createSocket('udp4');
  network.bind({ address: '127.0.0.1' });
  await once(network, 'listening');
  network.on('message', (question, { port, address }) => {
    expect(question).toEqual(deviceQuestion());
    for (const name of ['plug', 'plug', 'voice-puck']) network.send(answerOf(name), port, address);
  });
  const found: FoundDevice[] = [];
  const all = Promise.withResolvers<void>();
  const search = createDeviceSearch({
    clock,
    addresses: () => ['127.0.0.1'],
    to: network.address(),
    onFound: (device) => {
      found.push(device);
      if (device.name === 'voice-puck') all.resolve();
    },
  });

  const [one, other] = [search.find(), search.find()];
  await all.promise;
  await clock.pass(2_000);

  expect((await one).map(({ name, address }) => [name, address])).toEqual([
    ['voice-puck', '127.0.0.1'],
    ['plug', '127.0.0.1'],
  ]);
  expect(await other).toEqual(await one);
  network.close();
});
