/** @module-tag slow */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readAll } from '../support/clients/multipart.ts';
import { listenOnFreePort } from '../support/servers/listen.ts';
import {
  placeSoundProgram,
  type SatelliteProgram,
  startSatelliteProgram,
} from '../support/servers/satellite-program.ts';

let folder: string;
let server: Server;
let satellite: SatelliteProgram | undefined;

const words = { language: 'de', lost: null, hear_me: { question: 'Hörst du? Sag ja.', answer: ['ja'] } };

/** A house with a voice, whose speech recognition obeys the test. */
async function startHouse(understands: (recording: Buffer) => string): Promise<string> {
  server = createServer(async (request, response) => {
    const body = await readAll(request);
    if (request.url === '/satellite-words') response.end(JSON.stringify(words));
    else if (request.url === '/v1/audio/speech') response.end(Buffer.alloc(4_800, 3));
    else if (request.url === '/v1/audio/transcriptions') response.end(understands(body));
    else response.writeHead(426).end();
  });
  return await listenOnFreePort(server);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-sound-'));
  const list = "*-l*) echo 'card 1: Speakerphone [USB], device 0: USB Audio [USB Audio]' ;;";
  placeSoundProgram(folder, 'aplay', `case "$*" in ${list} *) exec cat > /dev/null ;; esac`);
  // The default card records silence, the other one noise.
  const recorded = (source: string) => `head -c 128000 ${source}; exec sleep 30 ;;`;
  const records = `*plughw:1,0*) ${recorded('/dev/urandom')} *) ${recorded('/dev/zero')}`;
  placeSoundProgram(folder, 'arecord', `case "$*" in ${list} ${records} esac`);
});
afterEach(() => {
  satellite?.kill();
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

const isSilent = (recording: Buffer) => recording.includes(Buffer.alloc(10_000));
const choose = (url: string) => {
  satellite = startSatelliteProgram(folder, ['--url', url, '--choose-sound']);
  return satellite;
};

test('the satellite asks about a sound card until a person says yes', async () => {
  const url = await startHouse((recording) => (isSilent(recording) ? '' : 'Ja, ich höre dich.'));

  const { ended, said } = choose(url);

  expect(await ended).toBe(0);
  expect(said()).toBe('HEARTH_MIC=plughw:1,0\nHEARTH_SPEAKER=plughw:1,0\n');
});

test('the satellite does not take its own question for a person', async () => {
  const url = await startHouse(() => 'Hörst du? Sag ja.');

  const { ended, said, told } = choose(url);

  expect(await ended).toBe(1);
  expect(said()).toBe('');
  expect(told()).toContain('There was no speech.');
});
