import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { freePort, type Processes } from '../processes.ts';
import { type Work, workSchema } from '../stub-work.ts';

/** Delay before a stopped program is restarted, as a supervisor does. */
const restartMs = 1_000;

const names = ['llm', 'stt', 'tts'] as const;
export type EngineName = (typeof names)[number];

/** Quality of a line: good, like a bad radio network, or gone. */
export interface Line {
  delayMs: number;
  /** Share of the connections, 0 to 1, that break in the middle. */
  cut: number;
  /** Share of the chunks, 0 to 1, that get lost. TCP sends them again a little later. */
  lost?: number;
  /** It accepts everything and delivers nothing. */
  isSilent?: boolean;
  /** It accepts no connection. */
  isGone?: boolean;
}

const goodLine: Line = { delayMs: 0, cut: 0 };
/** The least time after which Linux sends a lost packet again. */
const resendMs = 200;

export interface EngineSpeeds {
  /** A name that the language model puts into its answers. */
  name?: string;
  /** Until the first word. */
  firstMs: number;
  tokensPerSecond: number;
  hearMs: number;
}

interface ChaosEnginesOptions {
  processes: Processes;
  signal: AbortSignal;
  speeds?: EngineSpeeds;
}

const usualSpeeds: EngineSpeeds = { firstMs: 120, tokensPerSecond: 120, hearMs: 120 };
const toldSchema = z.object({ work: z.array(workSchema) });

/**
 * Three engines of known speed in separate programs. Each restarts when it ends, and each is behind a line
 * that can be made bad. The language model repeats the mark of each question.
 */
export async function startChaosEngines({
  processes,
  signal,
  speeds: { name: spokenTo, firstMs, tokensPerSecond, hearMs } = usualSpeeds,
}: ChaosEnginesOptions) {
  const stream = {
    ...{ firstMs, tokens: 24, perSecond: tokensPerSecond, isStory: true, repeatsMark: true },
    ...(spokenTo && { name: spokenTo }),
  };
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
          ? { stream }
          : { hearMs, msPerCharacter: 1, transcript: 'What is the capital of France?' },
      );
    };
    await go();
    const line = await openLine({ port }, () => quality);
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
    /** Resolves when an engine has just begun a piece of work. */
    async untilBegun(name: EngineName): Promise<void> {
      const child = children.get(name);
      let work: Work[] = [];
      for (let round = 0; round === 0 || !work.some(({ endedAt }) => endedAt === null); round += 1) {
        await delay(10, undefined, { signal });
        child?.send({ tell: true });
        const [told] = child ? await once(child, 'message', { signal }) : [];
        // The first news are of all work since the start.
        work = round === 0 ? [] : toldSchema.parse(told).work;
      }
    },
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

/** A proxy that forwards connections to a port, with the given line quality. */
export async function openLine(
  { host = '127.0.0.1', port }: { host?: string; port: number },
  quality: () => Line,
) {
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const { cut, isGone } = quality();
    if (isGone) return void near.destroy();
    const far = connect({ port, host, allowHalfOpen: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
    passOn(near, far, quality);
    passOn(far, near, quality);
    if (Math.random() < cut) setTimeout(() => near.destroy(), 100 + Math.random() * 400);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    /** Breaks all connections; new ones are accepted. */
    breakAll,
    close: () => {
      server.close();
      breakAll();
    },
  };
}

/** Keeps the order of the chunks, as TCP does: a late one holds up those behind it, and the end. */
function passOn(from: Socket, to: Socket, quality: () => Line): void {
  let before: Promise<unknown> | undefined;
  const inTurn = (waitMs: number, work: () => void): void => {
    const now = Promise.all([before, delay(waitMs)]).then(() => {
      if (before === now) before = undefined;
      work();
    });
    before = now;
  };
  from.on('data', (bytes) => {
    const { delayMs, lost = 0, isSilent } = quality();
    if (isSilent) return;
    const waitMs = delayMs + (Math.random() < lost ? resendMs : 0);
    const pass = () => to.writable && to.write(bytes);
    if (waitMs === 0 && before === undefined) pass();
    else inTurn(waitMs, pass);
  });
  const pass = (end: () => void) => () => {
    const { delayMs, isSilent } = quality();
    if (!isSilent) inTurn(delayMs, end);
  };
  from.on(
    'end',
    pass(() => to.end()),
  );
  from.on(
    'close',
    pass(() => to.destroySoon()),
  );
}
