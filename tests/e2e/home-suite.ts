import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { spokenRecording } from '../support/audio/spoken-clips.ts';
import { startRealHome } from '../support/servers/real-home.ts';
import { type ComposedHousehold, restartApi } from './composed-household.ts';
import { ask, call, untilReady } from './household.ts';
import { enterRoom, notice } from './live-room.ts';

const voiceSchema = z.object({ heard: z.string(), reply: z.string(), via: z.string() });

/** A household with a real Home Assistant in its network, commanded by voice. */
export function homeSuite(of: () => ComposedHousehold): void {
  let home: Awaited<ReturnType<typeof startRealHome>>;
  let secrets: string;
  const file = () => join(of().folder, 'secrets.env');

  beforeAll(async () => {
    const alias = 'house';
    home = await startRealHome({ network: await of().network('edge'), alias });
    secrets = await readFile(file(), 'utf8');
    await appendFile(
      file(),
      `\nHOME_ASSISTANT_URL=http://${alias}:8123\nHOME_ASSISTANT_TOKEN=${home.token}\n`,
    );
    await restartApi(of(), {});
    await untilReady(of());
  });
  afterAll(async () => {
    await home?.stop();
    if (secrets === undefined) return;
    await writeFile(file(), secrets);
    await restartApi(of(), {});
    await untilReady(of());
  });

  const say = async (clip: string, query: Record<string, string>) => {
    const path = `/voice?${new URLSearchParams(query)}`;
    return voiceSchema.parse((await call(of(), { path, recording: spokenRecording(clip) })).body);
  };
  const lights = () =>
    Promise.all(['light.kitchen_ceiling', 'light.kitchen_counter', 'light.bedside_lamp'].map(home.stateOf));

  test('turns on the kitchen lights that a recording mentions', async () => {
    // Lamps that were never switched are neither on nor off.
    await ask(of(), 'Turn off the kitchen lights and turn off the bedside lamp.');

    const { reply, via } = await say('lights.wav', { client: 'recorder' });

    expect([reply, via]).toEqual(['Turned on the lights.', 'home']);
    expect(await lights()).toEqual(['on', 'on', 'off']);
  });

  test('turns off only the bedroom lights', async () => {
    await ask(of(), 'Turn on the bedside lamp.');

    const { reply, via } = await say('joe-lights.wav', { client: 'recorder' });

    expect([reply, via]).toEqual(['Turned off the lights.', 'home']);
    expect(await lights()).toEqual(['on', 'on', 'off']);
  });

  test('turns on the lights for a satellite, and undoes it on request', async () => {
    await ask(of(), 'Turn off the kitchen lights.');
    const room = await enterRoom(of(), { client: 'sat', room: 'kitchen' });

    const noticed = notice(await room.ask('lights.wav'));

    expect(noticed).toMatchObject({ status: 'completed', via: 'home', reply: 'Turned on the lights.' });
    expect(await lights()).toEqual(['on', 'on', 'off']);
    await room.leave();
    expect((await ask(of(), 'Undo that.', 'sat')).reply).toMatch(/as before\.$/);
    expect(await lights()).toEqual(['off', 'off', 'off']);
  });

  test('does nothing in the house for sentences that are not commands to it', async () => {
    const before = await lights();

    for (const clip of ['france.wav', 'time.wav', 'noise.wav', 'click.wav', 'joe-thanks.wav'])
      await say(clip, { client: 'recorder', room: 'kitchen' });

    expect(await lights()).toEqual(before);
  });

  test('says that it cannot reach the house, and obeys once the house is back', async () => {
    await home.halt();
    const refused = await ask(of(), 'Turn on the kitchen lights.');

    await home.start();

    expect(refused).toEqual({ reply: 'I cannot reach Home Assistant.', via: 'home' });
    expect((await ask(of(), 'Turn on the kitchen lights.')).reply).toBe('Turned on the lights.');
  });
}
