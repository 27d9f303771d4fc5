/** @module-tag slow */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { spokenClip } from '../support/audio/spoken-clips.ts';
import { type CallOptions, errorOf } from '../support/clients/caller.ts';
import { type RunningApi, startApi } from '../support/servers/assistant.ts';
import {
  placeSoundCard,
  placeSoundProgram,
  type SatelliteProgram,
  startSatelliteProgram,
} from '../support/servers/satellite-program.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { waitFor } from '../support/wait-for.ts';
import { fetchedWakeWords, wakeWordFolder } from '../support/wake/words.ts';

const owner = 'Correct-Horse-Battery-Staple';
const as = (token: string, options: CallOptions = {}): CallOptions => ({
  ...options,
  headers: { authorization: `Bearer ${token}` },
});

let home: VoiceHousehold;
/** Another process of the same household: its changes apply here. */
let other: RunningApi;
let folder: string;
let programs: SatelliteProgram[] = [];

beforeAll(async () => {
  const env = { SERVICE_TOKEN: owner, WAKE_WORDS_DIR: wakeWordFolder };
  home = await startVoiceHousehold({ env });
  other = await startApi({ ...home.urls, env });
  await waitFor(async () => (await other.call('/admin/satellites', as(owner))).status === 200);
});
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-list-'));
  home.forget();
});
afterEach(async () => {
  for (const program of programs) program.kill();
  await Promise.all(programs.map(({ ended }) => ended));
  programs = [];
  rmSync(folder, { recursive: true });
  await home.store.del('hearth:satellite-choices', 'hearth:seen-satellites', 'hearth:speakers');
  await home.store.publish('hearth:satellite-choice-news', '');
  await home.store.publish('hearth:speaker-news', '');
});
afterAll(async () => {
  await other?.stop();
  await home?.stop();
});

const listSchema = z.object({
  satellites: z.array(z.looseObject({ client: z.string(), connected: z.boolean() })),
});
const mutedSchema = z.object({ satellite: z.object({ muted: z.boolean(), muted_until: z.string() }) });
const levelSchema = z.object({ level_db: z.number().nullable(), measured_by: z.string().nullable() });

const pathOf = (client: string, what = '') => `/admin/satellites/${encodeURIComponent(client)}${what}`;
const one = async (client: string) =>
  listSchema
    .parse((await other.call('/admin/satellites', as(owner))).body)
    .satellites.find((each) => each.client === client);
const set = (client: string, body: object) =>
  other.call(pathOf(client), as(owner, { method: 'PATCH', body }));
const look = async (client: string) =>
  levelSchema.parse((await other.call(pathOf(client, '/microphone'), as(owner))).body);

/** The satellite program with a sound card, with a separate token under this name. */
async function startSatellite(name: string, { wake = 'open' } = {}) {
  const made = await home.assistant.call('/admin/tokens', as(owner, { body: { name, scope: 'talk' } }));
  const { token } = z.object({ token: z.string() }).parse(made.body);
  const card = placeSoundCard(folder);
  placeSoundProgram(folder, 'aplay', `exec cat >> ${join(folder, 'played')}`);
  const program = startSatelliteProgram(
    folder,
    ['--url', home.assistant.address, '--client', 'shelf', '--room', 'hall', '--wake', wake],
    { SERVICE_TOKEN: token },
  );
  programs.push(program);
  await program.tells(/Connected to/);
  const client = `${name}/shelf`;
  await waitFor(async () => (await one(client))?.connected === true, { what: 'the satellite in the list' });
  return { program, card, client, played: playedBytes };
}

function playedBytes(): Buffer {
  const file = join(folder, 'played');
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
}

/** The level at a moment with speech. The person goes on speaking until it is seen. */
async function loudest(client: string, { say }: ReturnType<typeof placeSoundCard>) {
  const speech = spokenClip('weather');
  let silentFromMs = 0;
  return await waitFor(
    async () => {
      if (performance.now() >= silentFromMs) {
        say(speech);
        silentFromMs = performance.now() + speech.length / 32;
      }
      const level = await look(client);
      return level.level_db !== null && level.level_db > -40 && level;
    },
    { what: 'a level above -40 dB' },
  );
}

describe('a satellite in the list of the household', () => {
  test('moves, gets a new name and answers others at once, and keeps both after a reconnect', async () => {
    const { program, client } = await startSatellite('den');
    const before = await one(client);

    const { body } = await set(client, { name: 'Book shelf', room: 'library', wake: 'name' });
    await program.tells(/It answers sentences with the name "Computer"/);
    await waitFor(async () => (await one(client))?.['room'] === 'library');
    const after = await one(client);
    program.interrupt();
    await program.ended;
    programs = [];
    const again = startSatelliteProgram(
      folder,
      ['--url', home.assistant.address, '--client', client, '--room', 'hall'],
      { SERVICE_TOKEN: owner },
    );
    programs.push(again);

    expect(before).toMatchObject({
      name: null,
      room: 'hall',
      wake: 'open',
      chosen: { room: null, wake: null, language: null },
    });
    expect(body).toMatchObject({ satellite: { name: 'Book shelf', room: 'library', wake: 'name' } });
    expect(after).toMatchObject({ wake: 'name', chosen: { room: 'library', wake: 'name' } });
    await again.tells(/in the room library/);
    await again.tells(/It answers sentences with the name "Computer"/);

    await set(client, { room: null, wake: null });

    await waitFor(async () => (await one(client))?.['room'] === 'hall');
    expect(await one(client)).toMatchObject({ name: 'Book shelf', wake: 'open' });
  });

  test('refuses the name of another one', async () => {
    const { client } = await startSatellite('attic');
    await startSatellite('cellar');

    const taken = await set(client, { name: ' Cellar/SHELF ' });
    const long = await set(client, { name: 'x'.repeat(41) });
    const empty = await set(client, { name: '   ' });
    const pictured = await set(client, { name: '🛋️' });

    expect(errorOf(taken)).toEqual({ status: 409, code: 'not_possible' });
    expect([long.status, empty.status]).toEqual([400, 400]);
    expect(pictured.body).toMatchObject({ satellite: { name: '🛋️' } });
  });

  test('plays a sound unless it is muted, which applies at once', async () => {
    const { client, played } = await startSatellite('porch');

    const sound = () => other.call(pathOf(client, '/sound'), as(owner, { method: 'POST' }));
    const isMuted = async (muted: boolean) => {
      await set(client, { muted });
      return await waitFor(async () => (await one(client))?.['muted'] === muted);
    };

    const sounded = await sound();
    await waitFor(() => played().some((byte) => byte !== 0), { what: 'the sound' });
    await isMuted(true);
    const refused = await waitFor(async () => {
      const answer = await sound();
      return answer.status === 409 && answer;
    });
    await isMuted(false);

    expect(sounded).toMatchObject({ status: 200, body: { client } });
    expect(errorOf(refused)).toEqual({ status: 409, code: 'not_possible' });
    await waitFor(async () => (await sound()).status === 200, { what: 'the sound again' });
  });

  test('is muted for a time, and until when is told', async () => {
    const { client } = await startSatellite('pantry');

    const muted = await set(client, { muted: true, muted_ms: 900_000 });
    const short = await set(client, { muted: true, muted_ms: 10 });
    const ended = await set(client, { muted: false });

    const { satellite } = mutedSchema.parse(muted.body);
    expect(satellite.muted).toBe(true);
    expect(Date.parse(satellite.muted_until) - Date.now()).toBeGreaterThan(800_000);
    expect(Date.parse(satellite.muted_until) - Date.now()).toBeLessThanOrEqual(900_000);
    expect(errorOf(short)).toEqual({ status: 400, code: 'invalid_request' });
    expect(ended.body).toMatchObject({ satellite: { muted: false, muted_until: null } });
  });

  test('shows its microphone level as Hearth measures it', async () => {
    const { client, card } = await startSatellite('studio');

    const level = await loudest(client, card);

    expect(level).toMatchObject({ measured_by: 'server' });
    expect(level.level_db).toBeLessThanOrEqual(0);
  });

  test.skipIf(fetchedWakeWords.length === 0)(
    'reports its level itself if no sound leaves the room, and sends everything in the open mode',
    { tags: 'slow' },
    async () => {
      const { program, client, card } = await startSatellite('nursery', { wake: 'word' });
      await program.tells(/It listens for "Okay Nabu"/);

      const level = await loudest(client, card);
      await set(client, { wake: 'open' });
      await program.tells(/It answers every sentence/);
      home.stt.hears(() => 'What is two plus two?');
      card.say(Buffer.concat([spokenClip('weather'), Buffer.alloc(32_000)]));

      expect(level).toMatchObject({ measured_by: 'satellite' });
      await program.tells(/Said: {2}2 plus 2 is 4/, 20_000);
    },
  );

  test('is removed: locked out at once, and nothing of it is stored', async () => {
    const { program, client } = await startSatellite('shed');
    await set(client, { name: 'Old one', volume: 20 });

    const removed = await other.call(pathOf(client), as(owner, { method: 'DELETE' }));

    expect(removed).toMatchObject({ status: 200, body: { client, token: 'shed' } });
    expect(await program.ended).toBe(2);
    expect(program.told()).toContain('Hearth no longer accepts the token of this satellite.');
    await waitFor(async () => (await one(client)) === undefined, { what: 'a list without it' });
  });

  test('is not removed if it would return at once, and an unknown one is ignored', async () => {
    placeSoundCard(folder);
    const program = startSatelliteProgram(folder, ['--url', home.assistant.address, '--client', 'bench'], {
      SERVICE_TOKEN: owner,
    });
    programs.push(program);
    await waitFor(async () => (await one('bench'))?.connected === true);

    const refused = await other.call(pathOf('bench'), as(owner, { method: 'DELETE' }));
    program.interrupt();
    await program.ended;
    await waitFor(async () => (await one('bench'))?.connected === false);
    const silent = await other.call(pathOf('bench', '/sound'), as(owner, { method: 'POST' }));
    const deaf = await other.call(pathOf('bench', '/microphone'), as(owner));
    const removed = await other.call(pathOf('bench'), as(owner, { method: 'DELETE' }));
    const unknown = await other.call(pathOf('nobody'), as(owner, { method: 'DELETE' }));

    expect([refused, silent, deaf].map(errorOf)).toEqual(
      Array.from({ length: 3 }, () => ({ status: 409, code: 'not_possible' })),
    );
    expect(removed).toMatchObject({ status: 200, body: { client: 'bench', token: null } });
    expect(errorOf(unknown)).toEqual({ status: 404, code: 'not_found' });
  });
});
