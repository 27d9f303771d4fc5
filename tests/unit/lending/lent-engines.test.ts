import { once } from 'node:events';
import { mkdtempSync, readdirSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { borrowEngines } from '../../../api/src/lending/borrowed-engines.ts';
import { lendEngines } from '../../../api/src/lending/lend-engines.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function listening<S extends Server>(server: S, at: string | number): Promise<S> {
  server.listen(at);
  await once(server, 'listening');
  ends.push(() => server.close());
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** Two ends of a connection that can fall silent. */
async function openLine() {
  const far = Promise.withResolvers<ReturnType<typeof connect>>();
  const house = await listening(createServer(far.resolve), 0);
  const pieces: ReturnType<typeof connect>[] = [];
  const relay = createServer((socket) => {
    const onward = connect(portOf(house));
    pieces.push(socket, onward);
    socket.pipe(onward).pipe(socket);
    for (const each of [socket, onward]) each.on('error', () => undefined);
  });
  const machine = connect(portOf(await listening(relay, 0)));
  const silence = () => {
    for (const piece of pieces) piece.unpipe().pause();
  };
  ends.push(() => {
    for (const piece of pieces) piece.destroy();
  });
  return { here: await far.promise, there: machine, silence };
}

/** An engine on a Unix socket, lent over such a connection. */
async function startLending(answer: RequestListener) {
  const folder = mkdtempSync(join(tmpdir(), 'lent-'));
  const engine = await listening(createHttpServer(answer), join(folder, 'engine'));
  ends.push(() => engine.closeAllConnections());
  const { here, there, silence } = await openLine();
  const lent = lendEngines({
    line: there,
    servers: new Map([['llm', { at: { path: join(folder, 'engine') } }]]),
  });
  const { promise: left, resolve: onLeaving } = Promise.withResolvers<void>();
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
  const sockets = { llm: join(folder, 'llm'), stt: join(folder, 'stt') };
  const borrowed = borrowEngines({ line: here, sockets, onLeaving, onEnd });
  await borrowed.listening;
  ends.push(lent.end, borrowed.end);
  const call = async ({ name = 'llm', body = 'hello', signal }: Call = {}) => {
    const dispatcher = new Agent({ connect: { socketPath: join(folder, name) } });
    const answered = await request('http://llm.localhost/', {
      ...{ dispatcher, method: 'POST', body, headersTimeout: 20_000 },
      ...(signal && { signal }),
    });
    return answered.body.text();
  };
  return { call, lent, left, ended, silence, files: () => readdirSync(folder) };
}

interface Call {
  name?: string;
  body?: string;
  signal?: AbortSignal;
}

const echoes: RequestListener = (asked, answer) => void asked.pipe(answer);

describe('an engine of another machine', () => {
  test('answers through a socket here, however long the call is', async () => {
    const { call } = await startLending(echoes);
    const long = 'speech '.repeat(300_000);

    const answers = await Promise.all([call(), call({ body: long }), call({ body: 'once more' })]);

    expect(answers).toEqual(['hello', long, 'once more']);
  });

  test('notices when its caller disconnects', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const { promise: gone, resolve: onGone } = Promise.withResolvers<void>();
    const { call } = await startLending((_asked, answer) => {
      answer.once('close', onGone);
      answer.write('Well');
      onAsked();
    });
    const hangUp = new AbortController();

    const answer = call({ signal: hangUp.signal });
    await asked;
    hangUp.abort();

    await expect(answer).rejects.toThrow();
    await gone;
  });

  test('fails its calls soon after the machine has fallen silent, and its sockets are gone', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
    const { call, silence, ended, files } = await startLending(() => onAsked());

    const answer = call();
    await asked;
    silence();

    await expect(answer).rejects.toThrow();
    await ended;
    expect(files()).toEqual(['engine']);
    await expect(call()).rejects.toThrow();
  });

  test('ends a running answer when the machine leaves, and takes no new call', async () => {
    const { promise: asked, resolve: onAsked } = Promise.withResolvers<() => void>();
    const { call, lent, left } = await startLending((_asked, answer) => {
      answer.setHeader('connection', 'close');
      onAsked(() => answer.end('Done.'));
    });

    const answer = call();
    const finish = await asked;
    lent.leave();
    await left;

    await expect(call()).rejects.toThrow();
    finish();
    expect(await answer).toBe('Done.');
    await lent.ended;
  });

  test('is the only thing that can be called there', async () => {
    const { call } = await startLending(echoes);

    await expect(call({ name: 'stt' })).rejects.toThrow();
    expect(await call()).toBe('hello');
  });
});
