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

/** The server drops a satellite without pongs within two pings; the rest is a margin for a busy machine. */
const givenUpWithinMs = 60_000;

/** After every fault, people in a room must hear a response, and then everything works again. */
export function listenFailuresSuite(of: () => Household): void {
  describe('with trouble', () => failureTests(of));
}

type Satellite = SatelliteProgram & { folder: string } & ReturnType<typeof placeSoundCard>;

function failureTests(of: () => Household): void {
  /** It hangs before the first of these tests, because the server drops it only after two pings. */
  let hanging: Satellite;
  const running: Satellite[] = [];
  beforeAll(async () => {
    hanging = await startSatellite('hanging');
    // It first fetches a built-in sentence. Its live connection has settled after five seconds as the only
    // one.
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

  /** The reference satellite, connected, with a separate sound card. */
  const startSatellite = async (client: string): Promise<Satellite> => {
    const folder = await mkdtemp(join(tmpdir(), 'hearth-satellite-'));
    const card = placeSoundCard(folder);
    // Its microphone hears nothing of its loudspeaker, and people talk over its answers from the first one
    // on.
    const args = ['--url', `http://localhost:${of().port}`, '--client', client, '--keep-echo'];
    const satellite = { ...startSatelliteProgram(folder, args), folder, say: card.say };
    running.push(satellite);
    await satellite.tells(/Connected/);
    return satellite;
  };

  /** Asks repeatedly until everything is back. */
  const untilAnswered = (room: LiveRoom): Promise<Exchange> =>
    vi.waitFor(
      async () => {
        const exchange = await room.ask('joe-italy.wav');
        expect(exchange.done).toMatchObject({ status: 'completed', reply: 'The capital of Italy is Rome.' });
        return exchange;
      },
      { timeout: 120_000, interval: 200 },
    );

  test('says aloud that the language model died during an answer', async () => {
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
  ])('answers aloud without %s', async (engine, status) => {
    // The previous test has restored everything.
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

  test('drops a hanging satellite, and accepts it again', async () => {
    await vi.waitFor(() => expect(connectionsOf(hanging)).toBe(0), {
      timeout: givenUpWithinMs,
      interval: 100,
    });

    hanging.thaw();

    await hanging.tells(/was lost\. Trying again\.\nConnected/, 60_000);
  });

  test('continues after a restart of the api in the middle of a story', async () => {
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

/** The system's number of open connections of this program. */
function connectionsOf({ pid }: SatelliteProgram): number {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => readFileSync(table, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === established && open.includes(`socket:[${inode}]`))
    .length;
}

/** The target of a link; undefined if it no longer exists. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined; // Files open and close all the time.
  }
}

const established = '01';
