import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventProgram } from '../../../satellite/event-program.ts';
import { waitFor } from '../../support/wait-for.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-light-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A program that notes its moment and then runs until it is let go. */
function placeProgram(): string {
  const program = join(folder, 'light');
  const lines = [
    '#!/bin/sh',
    `echo "$1" >> ${folder}/moments`,
    `while [ ! -e ${folder}/go ]; do sleep 0.02; done`,
  ];
  writeFileSync(program, lines.join('\n'));
  chmodSync(program, 0o755);
  return program;
}

const moments = (): string[] => {
  const file = join(folder, 'moments');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};

test('starts four programs at once, and later the one of the newest moment only', async () => {
  const { start } = createEventProgram(placeProgram(), () => undefined);
  for (const moment of ['connected', 'listening', 'thinking', 'speaking'] as const) start(moment);
  await waitFor(() => moments().length === 4, { what: 'four programs' });

  start('ringing');
  start('idle');
  writeFileSync(join(folder, 'go'), '');
  await waitFor(() => moments().length > 4, { what: 'the program of the newest moment' });

  expect(moments().slice(4)).toEqual(['idle']);
});

test('starts none if the state is again that of the last program', async () => {
  const { start } = createEventProgram(placeProgram(), () => undefined);
  for (const moment of ['connected', 'listening', 'thinking', 'idle'] as const) start(moment);
  await waitFor(() => moments().length === 4, { what: 'four programs' });

  start('awake');
  start('idle');
  writeFileSync(join(folder, 'go'), '');
  start('lost');
  await waitFor(() => moments().includes('lost'), { what: 'the next program' });

  expect(moments().slice(4)).toEqual(['lost']);
});

test('says once that the program cannot be started, and goes on', async () => {
  const told: string[] = [];
  const { start } = createEventProgram(join(folder, 'missing'), (line) => told.push(line));
  const states = ['connected', 'listening', 'thinking', 'speaking', 'idle', 'lost'] as const;
  for (const moment of states) {
    start(moment);
    await new Promise((done) => setImmediate(done));
  }

  await waitFor(() => told.length > 0, { what: 'the fault' });
  expect(told).toEqual([expect.stringContaining('missing cannot be started')]);
});
