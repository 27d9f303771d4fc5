import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type FakeLlm, startFakeLlm } from '../fakes/fake-llm.ts';
import { endsWithTests } from './spawned.ts';

export type Machine = Awaited<ReturnType<typeof startMachine>>;

function startCli(program: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [`api/src/cli/${program}.ts`], {
    env: { PATH: process.env['PATH'], ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return { child: endsWithTests(child), output: () => text };
}

/** Runs a command of the terminal to its end. */
export async function runCli(program: string, env: Record<string, string>) {
  const { child, output } = startCli(program, env);
  const [exitCode] = await once(child, 'exit');
  return { exitCode, text: output() };
}

/** Passes connections of a Unix socket on to a server with a port. */
async function listenOnSocket(path: string, { url }: FakeLlm): Promise<Server> {
  const server = createServer((socket) => {
    const onward = connect(Number(new URL(url).port), '127.0.0.1');
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy()).on('close', () => onward.destroy());
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
  });
  server.listen(path);
  await once(server, 'listening');
  return server;
}

interface MachineOptions {
  /** It lends a server that runs there already, with this model of several. */
  model?: string;
}

/** A fast machine that has joined a household with a code of `make invite`, and lends its language model. */
export async function startMachine(code: string, { model }: MachineOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'machine-'));
  const [file, socket] = [join(folder, 'household.json'), join(folder, 'llm')];
  const models = model === undefined ? ['local'] : ['another', model];
  const llm = await startFakeLlm({ answers: () => 'The strong one.', models });
  const lent = model === undefined ? { LLM_SOCKET: socket } : { LLM_URL: llm.url, LLM_MODEL: model };
  const server = await listenOnSocket(socket, llm);
  const joined = await runCli('join', { CODE: code, HOUSEHOLD_FILE: file });
  expect(joined).toEqual({ exitCode: 0, text: expect.stringContaining('has joined') });
  const lenders: ChildProcess[] = [];
  const lend = () => {
    const { child, output } = startCli('lend', { HOUSEHOLD_FILE: file, ...lent });
    lenders.push(child);
    return { lender: child, output };
  };
  return {
    file,
    llm,
    ...lend(),
    /** Lends again after the end of the program. */
    lend,
    async stop() {
      for (const lender of lenders) lender.kill('SIGKILL');
      server.close();
      await llm.stop();
    },
  };
}
