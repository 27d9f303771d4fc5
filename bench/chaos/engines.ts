import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { freePort, type Processes } from '../processes.ts';

/** Delay before a stopped program is restarted, as a supervisor does. */
const restartMs = 1_000;

const names = ['llm', 'stt', 'tts'] as const;
export type EngineName = (typeof names)[number];

/** Quality of the line to an engine: good, or like a bad radio network. */
interface Line {
  delayMs: number;
  /** Share of the connections, 0 to 1, that break in the middle. */
  cut: number;
}

const goodLine: Line = { delayMs: 0, cut: 0 };

/**
 * Three engines of known speed in separate programs. Each restarts when it ends, and each is behind a line
 * that can be made bad. The language model repeats the mark of each question.
 */
export async function startChaosEngines({
  processes,
  signal,
}: {
  processes: Processes;
  signal: AbortSignal;
}) {
  const children = new Map<EngineName, ChildProcess>();
  let quality = goodLine;
  const urls = new Map<EngineName, string>();
  const closers: (() => void)[] = [];
  let isEnding = false;

  const keep = async (name: EngineName): Promise<void> => {
    const port = await freePort();
    const spare = await freePort();
    const ports = { llm: [port], stt: [port, spare], tts: [spare, port] }[name];
    const script = join(import.meta.dirname, '..', name === 'llm' ? 'stub-llm.ts' : 'stub-speech.ts');
    const go = async () => {
      const child = processes.fork(`engine-${name}`, script, ports.map(String));
      children.set(name, child);
      child.once('exit', () => {
        if (!isEnding && !signal.aborted) setTimeout(() => void go().catch(() => undefined), restartMs);
      });
      await once(child, 'message', { signal });
      child.send(
        name === 'llm'
          ? { stream: { firstMs: 120, tokens: 24, perSecond: 120, isStory: true, repeatsMark: true } }
          : { hearMs: 120, msPerCharacter: 1, transcript: 'What is the capital of France?' },
      );
    };
    await go();
    const line = await openLine(port, () => quality);
    closers.push(line.close);
    urls.set(name, line.url);
  };
  for (const name of names) await keep(name);

  return {
    environment: {
      LLM_URL: urls.get('llm') ?? '',
      STT_URL: urls.get('stt') ?? '',
      TTS_URL: urls.get('tts') ?? '',
    },
    pidOf: (name: EngineName) => children.get(name)?.pid ?? 0,
    pids: () => [...children.values()].flatMap(({ pid }) => pid ?? []),
    /** Sets the quality of all lines, including those of the callers. */
    setLine(line: Line = goodLine): void {
      quality = line;
    },
    callersLine: () => quality,
    end(): void {
      isEnding = true;
      for (const close of closers) close();
    },
  };
}

/** A proxy that forwards one port to another, with the given line quality. */
export async function openLine(port: number, quality: () => Line) {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const { cut } = quality();
    const far = connect({ port, host: '127.0.0.1' });
    for (const socket of [near, far]) {
      sockets.add(socket);
      // Each end mirrors the other.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    const pass = (from: Socket, to: Socket) =>
      from.on('data', (bytes) => {
        const { delayMs } = quality();
        if (delayMs > 0) setTimeout(() => to.writable && to.write(bytes), delayMs);
        else to.write(bytes);
      });
    pass(near, far);
    pass(far, near);
    if (Math.random() < cut) setTimeout(() => near.destroy(), 100 + Math.random() * 400);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
