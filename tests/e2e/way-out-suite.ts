import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { spokenCase, spokenCases } from '../support/audio/spoken-clips.ts';
import { placeSoundCard, startSatelliteProgram } from '../support/servers/satellite-program.ts';
import type { Outgoing } from '../support/servers/way-out.ts';
import type { ComposedHousehold } from './composed-household.ts';
import { call, type Household, run, untilReady } from './household.ts';

const processSchema = z.object({ started_at: z.string() });
const processesSchema = z.object({ apis: z.array(processSchema), workers: z.array(processSchema) });

/** A household that fetches models on request may connect to the hub. */
const isFetcher = ({ program }: Outgoing) =>
  program.some((each) => each === 'models' || each.includes('services/models/fetch.py'));

/** While a container is down, Docker asks the network's name server for it; only its name goes there. */
const isWithin = ({ to, names }: Outgoing, known: readonly string[]) =>
  names.length > 0 && names.every((name) => known.includes(name)) && (to === null || to.endsWith(':53'));

/**
 * Whether any packet has left the household since its first start. It runs after the other suites and covers
 * all of their typed and spoken turns, failures and restarts. `known` holds the names by which the
 * household's programs know each other.
 */
export function wayOutSuite(of: () => Household, known: readonly string[] = []): void {
  const left = async () =>
    (await of().outgoing()).filter((each) => !isFetcher(each) && !isWithin(each, known));

  const patch = async (servers: readonly object[] | null) =>
    (await call(of(), { path: '/admin/pipeline', method: 'PATCH', body: { mcp_servers: servers } })).status;

  test('restarts on request', async () => {
    const started = async () => processesSchema.parse((await call(of(), { path: '/admin/restart' })).body);
    const before = await started();

    const { status } = await call(of(), { path: '/admin/restart', body: { what: 'all' } });

    expect(status).toBe(202);
    const all = ({ apis, workers }: typeof before) => [...apis, ...workers].map((each) => each.started_at);
    await vi.waitFor(
      async () => expect(all(await started()).filter((at) => all(before).includes(at))).toEqual([]),
      {
        timeout: 60_000,
        interval: 200,
      },
    );
    await untilReady(of());
  });

  describe.skipIf(spokenCases.length === 0)('with a satellite (needs ../shared/speech)', () => {
    test('answers in a room', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'hearth-satellite-'));
      const card = placeSoundCard(folder);
      const address = ['--url', `http://127.0.0.1:${of().port}`, '--client', 'way-out'];
      const satellite = startSatelliteProgram(folder, address, {}, of().watched);
      onTestFinished(async () => {
        satellite.stop();
        await satellite.ended;
        await rm(folder, { recursive: true });
      });
      await satellite.tells(/Connected/);

      card.say(spokenCase('france.wav'));

      await satellite.tells(/capital of France/i, 60_000);
    });
  });

  test('connects to no outside address, except to fetch models', async () => {
    expect(await left()).toEqual([]);
  });

  // Last, because from here on a packet has left. Without it the test above would prove nothing.
  test('the watch reports a program that looks up an outside name', async () => {
    const name = 'somebody-outside.invalid';
    const servers = [{ name: 'outside', url: `http://${name}/mcp` }];

    expect(await patch(servers)).toBe(200);

    await vi.waitFor(async () => expect((await left()).flatMap(({ names }) => names)).toContain(name), {
      timeout: 30_000,
      interval: 100,
    });
    await patch(null);
  });
}

/** The containers' names for each other, and their Home Assistant. */
const ownNames = ['api', 'worker', 'redis', 'llm', 'stt', 'tts', 'house'];

/** The same for containers, which come and go while the watch runs. */
export function composedWayOutSuite(of: () => ComposedHousehold): void {
  wayOutSuite(of, ownNames);

  test('the watch reports a container from its first moment', async () => {
    const name = 'at-the-start.invalid';
    const ask = `require('dns').lookup('${name}', () => undefined); setInterval(() => undefined, 60_000);`;
    const start = ['run', '--detach', '--no-deps', '--entrypoint', 'node', 'worker', '-e', ask];

    const id = (await of().compose(...start)).trim();

    await vi.waitFor(
      async () => expect((await of().outgoing()).flatMap(({ names }) => names)).toContain(name),
      {
        timeout: 20_000,
        interval: 100,
      },
    );
    await run(['docker', 'rm', '--force', id], { folder: of().folder, settings: {} });
  });
}
