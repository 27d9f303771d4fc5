import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemClock } from '../../../api/src/http/system-clock.ts';

function stallFor(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('a timeout comes after the data that arrived while the process stalled', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [[peer]] = await Promise.all([once(server, 'connection'), once(client, 'connect')]);
  const happened: string[] = [];
  const isOver = Promise.withResolvers<void>();
  client.on('data', () => happened.push('data'));

  systemClock.after(10, () => {
    happened.push('timeout');
    isOver.resolve();
  });
  peer.write('answer');
  stallFor(50);
  await isOver.promise;
  client.destroy();
  server.close();

  expect(happened).toEqual(['data', 'timeout']);
});

test('a due timeout that is cancelled before it runs does not run', async () => {
  let runs = 0;
  const cancelTimeout = systemClock.after(1, () => {
    runs += 1;
  });
  setTimeout(cancelTimeout, 1);

  stallFor(5);
  await delay(5);

  expect(runs).toBe(0);
});
