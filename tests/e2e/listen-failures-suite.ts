import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { spokenCase } from '../support/audio/spoken-clips.ts';
import type { Exchange } from '../support/clients/listen-client.ts';
import {
  placeSoundCard,
  type SatelliteProgram,
  startSatelliteProgram,
} from '../support/servers/satellite-program.ts';
import type { Engine, Household } from './household.ts';
import { enterRoom, type LiveRoom, loudest } from './live-room.ts';

/** A satellite that answers no pings is given up within two of them; the rest is for a busy machine. */
const givenUpWithinMs = 60_000;

/** People in a room must always hear something when things go wrong, and then everything works again. */
export function listenFailuresSuite(of: () => Household): void {
  describe('with trouble', () => failureTests(of));
}

type Satellite = SatelliteProgram & { folder: string } & ReturnType<typeof placeSoundCard>;

function failureTests(of: () => Household): void {
  /** It hangs before the first of these tests, because it takes two pings until it is given up. */
  let hanging: Satellite;
  const running: Satellite[] = [];
  beforeAll(async () => {
    hanging = await startSatellite('hanging');
    // It fetches a sentence of its own at first. Its live connection has settled when it was the only one for
    // five seconds.
    let alone = 0;
    const settles = () => {
      alone = connectionsOf(hanging) === 1 ? alone + 1 : 0;
      expect(alone).toBeGreaterThan(50);
    };
    await vi.waitFor(settles, { timeout: 60_000, interval: 100 });
    hanging.freeze();
  });
  afterAll(async () => {
    for (const satellite of running) {
      satellite.kill();
      await satellite.ended;
      await rm(satellite.folder, { recursive: true });
    }
  });

  /** The reference satellite, connected, with a sound card of its own. */
  const startSatellite = async (client: string): Promise<Satellite> => {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-satellite-'));
    const card = placeSoundCard(folder);
    // Nothing of its loudspeaker gets into its microphone, and it is talked over from its first answer on.
    const args = ['--url', `http://localhost:${of().port}`, '--client', client, '--keep-echo'];
    const satellite = { ...startSatelliteProgram(folder, args), folder, say: card.say };
    running.push(satellite);
    await satellite.tells(/Connected/);
    return satellite;
  };

  /** Asks again and again until everything is back. */
  const untilAnswered = (room: LiveRoom): Promise<Exchange> =>
    vi.waitFor(
      async () => {
        const exchange = await room.ask('joe-italy.wav');
        expect(exchange.done).toMatchObject({ status: 'completed', reply: 'The capital of Italy is Rome.' });
        return exchange;
      },
      { timeout: 120_000, interval: 200 },
    );

  test('says aloud that the language model died over an answer', async () => {
    const room = await enterRoom(of(), { client: 'model-gone' });
    await of().freeze('llm');
    const story = room.ask('joe-story.wav');
    await room.event('input_audio_buffer.committed', 0, 30_000);
    await of().kill('llm');

    const failed = await story;

    expect(failed.done).toMatchObject({ status: 'failed', reason: 'llm_unavailable' });
    expect(failed.done.reply).not.toBe('');
    expect(loudest(failed)).toBeGreaterThan(1_000);
    expect((await room.event('error')).event).toMatchObject({ turn_id: failed.turnId });
    await of().bringBack('llm');
    await untilAnswered(room);
    await room.leave();
  });

  test.each<[engine: Engine, status: string]>([
    ['stt', 'failed'],
    ['tts', 'completed'],
  ])('never falls silent without %s', async (engine, status) => {
    // The test before has left everything in order.
    const room = await enterRoom(of(), { client: `${engine}-gone` });
    await of().kill(engine);

    const exchange = await room.ask('joe-france.wav');

    expect(exchange.done.status).toBe(status);
    expect(exchange.done.reply).not.toBe('');
    expect(loudest(exchange)).toBeGreaterThan(1_000);
    await of().bringBack(engine);
    await untilAnswered(room);
    await room.leave();
  });

  test('gives up a satellite that hangs, and takes it back', async () => {
    await vi.waitFor(() => expect(connectionsOf(hanging)).toBe(0), {
      timeout: givenUpWithinMs,
      interval: 100,
    });

    hanging.thaw();

    await hanging.tells(/is lost\. Trying again\.\nConnected/, 60_000);
  });

  test('goes on after the api was restarted in the middle of a story', async () => {
    const satellite = await startSatellite('study');
    satellite.say(spokenCase('joe-name.wav'));
    await satellite.tells(/Said: {2}Nice to meet you, Anna\./, 60_000);

    satellite.say(spokenCase('joe-story.wav'));
    await satellite.tells(/Said: {2}Once upon a time/, 60_000);
    await of().restartApi();
    await satellite.tells(/Trying again\.\nConnected/, 60_000);
    satellite.say(spokenCase('joe-whoami.wav'));

    await satellite.tells(/Said: {2}Your name is Anna\./, 60_000);
    expect(satellite.told()).toContain('Hearth is restarting.');
  });
}

/** How many connections of this program the system has that neither side has ended. */
function connectionsOf({ pid }: SatelliteProgram): number {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => readFileSync(table, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === established && open.includes(`socket:[${inode}]`))
    .length;
}

/** The target of a link; undefined if it has gone meanwhile. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined; // files are opened and closed all the time
  }
}

const established = '01';
