import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { quiet, spokenCase } from '../support/audio/spoken-clips.ts';
import { connectListen, type Exchange } from '../support/clients/listen-client.ts';
import {
  placeSoundCard,
  type SatelliteProgram,
  startSatelliteProgram,
} from '../support/servers/satellite-program.ts';
import type { Engine, Household } from './household.ts';
import { enterRoom, type LiveRoom, loudest } from './live-room.ts';

const reconnects = 200;
const atOnce = 20;
/** A satellite that answers no pings is given up within two of them; the rest is for a busy machine. */
const givenUpWithinMs = 60_000;

/** What people in a room must hear when things go wrong: always something, and then it works again. */
export function listenFailuresSuite(of: () => Household): void {
  describe('with trouble', () => failureTests(of));
}

function failureTests(of: () => Household): void {
  let folder: string;
  let soundCard: ReturnType<typeof placeSoundCard>;
  let running: SatelliteProgram | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hearth-satellite-'));
    soundCard = placeSoundCard(folder);
  });
  afterEach(async () => {
    running?.kill();
    await running?.ended;
    running = undefined;
    await rm(folder, { recursive: true });
  });

  /** The reference satellite, connected. */
  const startSatellite = async (client: string): Promise<SatelliteProgram> => {
    running = startSatelliteProgram(folder, ['--url', `http://localhost:${of().port}`, '--client', client]);
    await running.tells(/Connected/);
    return running;
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
    const room = await enterRoom(of(), { client: `${engine}-gone` });
    await untilAnswered(room);
    await of().kill(engine);

    const exchange = await room.ask('joe-france.wav');

    expect(exchange.done.status).toBe(status);
    expect(exchange.done.reply).not.toBe('');
    expect(loudest(exchange)).toBeGreaterThan(1_000);
    await of().bringBack(engine);
    await untilAnswered(room);
    await room.leave();
  });

  test(`survives ${reconnects} rapid reconnects`, async () => {
    const address = `http://127.0.0.1:${of().port}`;
    const comeAndGo = async (nth: number) => {
      const visitor = await connectListen(address, { client: `visitor-${nth % 7}` });
      for (let frame = 0; frame < 5 && visitor.isOpen(); frame += 1) visitor.sendRaw(quiet(20));
      if (nth % 2 === 0) visitor.terminate();
      else await visitor.close();
      expect(visitor.faults).toEqual([]);
    };
    for (let nth = 0; nth < reconnects; nth += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, (_, more) => comeAndGo(nth + more)));
    }

    const room = await enterRoom(of(), { client: 'afterwards' });
    await untilAnswered(room);
    await room.leave();
  });

  test('waits for a satellite that stops reading, and no other notices', async () => {
    const hanging = await enterRoom(of(), { client: 'hanging' });
    await hanging.say('joe-count.wav');
    await hanging.event('response.output_audio.started', 0, 60_000);
    hanging.pause();

    const room = await enterRoom(of(), { client: 'lively' });
    await untilAnswered(room);
    hanging.resume();

    expect((await hanging.exchange(0, 120_000)).done.status).toBe('completed');
    await hanging.leave();
    await room.leave();
  });

  test('gives up a satellite that hangs, and takes it back', async () => {
    const program = await startSatellite('hanging');
    expect(isConnected(program)).toBe(true);
    program.freeze();

    const room = await enterRoom(of(), { client: 'lively' });
    await untilAnswered(room);
    await room.leave();
    await vi.waitFor(() => expect(isConnected(program)).toBe(false), {
      timeout: givenUpWithinMs,
      interval: 100,
    });
    program.thaw();

    await program.tells(/is lost\. Trying again\.\nConnected/, 60_000);
  });

  test('goes on after the api was restarted in the middle of a story', async () => {
    const satellite = await startSatellite('study');
    soundCard.say(spokenCase('joe-name.wav'));
    await satellite.tells(/Said: {2}Nice to meet you, Anna\./, 60_000);

    soundCard.say(spokenCase('joe-story.wav'));
    await satellite.tells(/Said: {2}Once upon a time/, 60_000);
    await of().restartApi();
    await satellite.tells(/Trying again\.\nConnected/, 60_000);
    soundCard.say(spokenCase('joe-whoami.wav'));

    await satellite.tells(/Said: {2}Your name is Anna\./, 60_000);
    expect(satellite.told()).toContain('Hearth is restarting.');
  });
}

/** Whether the system has a connection of this program that neither side has ended. */
function isConnected({ pid }: SatelliteProgram): boolean {
  const open = readdirSync(`/proc/${pid}/fd`).map((fd) => targetOf(`/proc/${pid}/fd/${fd}`));
  return ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((table) => readFileSync(table, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .some(([, , , state, , , , , , inode]) => state === established && open.includes(`socket:[${inode}]`));
}

/** What a link points to; undefined when it has gone meanwhile. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link);
  } catch {
    return undefined; // files are opened and closed all the time
  }
}

const established = '01';
