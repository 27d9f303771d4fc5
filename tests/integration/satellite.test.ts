/** @module-tag slow */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readWav, writeWav } from '../../api/src/audio/wav.ts';
import { spokenClip } from '../support/audio/spoken-clips.ts';
import { examplesOf } from '../support/clients/listen-events.ts';
import { type FakeListen, startFakeListen } from '../support/fakes/fake-listen.ts';
import { freePort } from '../support/servers/free-port.ts';
import {
  placeSoundCard,
  placeSoundProgram,
  type SatelliteProgram,
  satelliteProgram,
  startSatelliteProgram,
} from '../support/servers/satellite-program.ts';
import { waitFor } from '../support/wait-for.ts';

let folder: string;
let server: FakeListen | undefined;
let started: SatelliteProgram[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearth-satellite-'));
  started = [];
});
afterEach(() => {
  for (const satellite of started) satellite.kill();
  server?.stop();
  server = undefined;
  rmSync(folder, { recursive: true });
});

function startSatellite(args: string[], env?: Record<string, string>) {
  const satellite = startSatelliteProgram(folder, ['--client', 'tests', ...args], env);
  started.push(satellite);
  return satellite;
}

const placeProgram = (name: 'arecord' | 'aplay', script: string) => placeSoundProgram(folder, name, script);

function placeClip(lengthMs: number): string {
  const path = join(folder, 'question.wav');
  const samples = Buffer.alloc(32 * lengthMs, 5);
  writeFileSync(path, writeWav({ sampleRateHz: 16_000, samples }));
  return path;
}

/** An endless sound, in real time. */
const hum = 'setInterval(() => process.stdout.write(Buffer.alloc(640, 5)), 20)';

const question = (soundMs = 400) => ({
  turnId: randomUUID(),
  transcript: 'What is the capital of France?',
  reply: 'The capital of France is Paris.',
  sound: Buffer.alloc(32 * soundMs, 9),
});

/** A satellite with a sound card that records its playback. */
async function startWithSoundCard(args: string[] = []) {
  placeSoundCard(folder);
  placeProgram('aplay', `exec cat >> ${join(folder, 'played')}`);
  server = await startFakeListen();
  const satellite = startSatellite(['--url', server.url, ...args]);
  return { satellite, session: await server.session(), server };
}

const played = () => readFileSync(join(folder, 'played'));

describe('the satellite with files', () => {
  test('sends the given question and writes the answer', async () => {
    server = await startFakeListen();
    const out = join(folder, 'answer.wav');
    const asked = question();
    const satellite = startSatellite(
      ['--url', server.url, '--room', 'kitchen', '--in', placeClip(300), '--out', out],
      { SERVICE_TOKEN: 'a-secret-token' },
    );
    const session = await server.session();

    await waitFor(() => session.soundBytes() > 32 * 300);
    session.begin(asked);
    session.end(asked);
    const finished = await session.event('playback.finished');

    expect(await satellite.ended).toBe(0);
    expect(satellite.said()).toBe(`Heard: ${asked.transcript}\nSaid:  ${asked.reply}\n`);
    expect(finished).toEqual({ type: 'playback.finished', turn_id: asked.turnId, played_ms: 400 });
    expect(readWav(readFileSync(out))).toEqual({ sampleRateHz: 16_000, samples: asked.sound });
    expect(session.sound().subarray(0, 32 * 300)).toEqual(Buffer.alloc(32 * 300, 5));
    expect(Object.fromEntries(session.query)).toEqual({ client: 'tests', room: 'kitchen' });
    expect(session.headers.authorization).toBe('Bearer a-secret-token');
    expect(satellite.said() + satellite.told()).not.toContain('a-secret-token');
    expect(session.faults).toEqual([]);
  });

  test('sends sound no faster than real time', async () => {
    server = await startFakeListen();
    startSatellite(['--url', server.url, '--in', placeClip(300), '--out', join(folder, 'answer.wav')]);
    const session = await server.session();
    const begunAtMs = performance.now();

    await waitFor(() => session.soundBytes() >= 32 * 1_000);

    expect(performance.now() - begunAtMs).toBeGreaterThan(900);
  });

  test('commits a recording that stands for a button press', async () => {
    server = await startFakeListen();
    const asked = question();
    const satellite = startSatellite([
      ...['--url', server.url, '--push-to-talk'],
      ...['--in', placeClip(200), '--out', join(folder, 'answer.wav')],
    ]);
    const session = await server.session();

    await session.event('input_audio_buffer.commit');
    const sent = session.soundBytes();
    session.begin(asked);
    session.end(asked);

    expect(await satellite.ended).toBe(0);
    expect(session.events[0]).toEqual({ type: 'session.update', session: { endpointing: 'manual' } });
    expect(session.soundBytes()).toBe(sent);
    expect(session.faults).toEqual([]);
  });

  test('ends if the file has no speech', async () => {
    server = await startFakeListen();
    const satellite = startSatellite([
      '--url',
      server.url,
      '--in',
      placeClip(100),
      '--out',
      join(folder, 'a.wav'),
    ]);

    expect(await satellite.ended).toBe(0);
    expect(satellite.said()).toBe('');
  });
});

/** A sound card in one room: the microphone hears the loudspeaker. */
function placeEchoingCard() {
  const air = join(folder, 'air');
  writeFileSync(
    join(folder, 'recorder.mjs'),
    `import { existsSync, readFileSync } from 'node:fs';
     const begunAtMs = performance.now();
     let [frames, heard] = [0, 0];
     setInterval(() => {
       const air = existsSync('${air}') ? readFileSync('${air}') : Buffer.alloc(0);
       for (const due = (performance.now() - begunAtMs) / 20; frames < due; frames += 1) {
         const frame = Buffer.alloc(640);
         heard += air.copy(frame, 0, heard, heard + 640);
         process.stdout.write(frame);
       }
     }, 10);`,
  );
  placeProgram('arecord', `exec ${process.execPath} ${join(folder, 'recorder.mjs')}`);
  placeProgram('aplay', `exec cat >> ${air}`);
}

function loudness(sound: Buffer): number {
  let sum = 0;
  for (let at = 0; at + 1 < sound.length; at += 2) sum += sound.readInt16LE(at) ** 2;
  return Math.sqrt(sum);
}

describe('the satellite over its own voice', () => {
  const answer = Buffer.concat([spokenClip('weather'), spokenClip('hello'), spokenClip('weather')]);
  const hearItself = async (args: string[]) => {
    placeEchoingCard();
    server = await startFakeListen();
    startSatellite(['--url', server.url, ...args]);
    const session = await server.session();
    const said = { ...question(), sound: answer };
    session.begin(said);
    session.end(said);
    await session.event('playback.finished');
    const sent = session.soundBytes();
    await waitFor(() => session.soundBytes() > sent + answer.length);
    return { echo: session.query.get('echo'), share: loudness(session.sound()) / loudness(answer) };
  };

  test('removes its own playback, and tells the server so', async () => {
    const { echo, share } = await hearItself([]);

    expect(echo).toBe('cancelled');
    expect(share).toBeLessThan(0.1);
  });

  test('keeps the echo for a microphone that cancels it itself', async () => {
    const { echo, share } = await hearItself(['--keep-echo']);

    expect(echo).toBeNull();
    expect(share).toBeGreaterThan(0.8);
  });
});

describe('the satellite without its server', () => {
  test('rings a known timer, and reports it', async () => {
    const { satellite, session, server: house } = await startWithSoundCard();
    const [{ timer } = { timer: {} }] = z
      .array(z.object({ timer: z.looseObject({}) }))
      .parse(examplesOf('timer.started'));
    session.send('timer.started', { timer: { ...timer, name: 'pasta', remaining_ms: 700 } });
    await satellite.tells(/Connected/);

    session.drop();
    house.stop();

    await satellite.tells(/The timer "pasta" is over\./);
    await waitFor(() => existsSync(join(folder, 'played')) && played().length > 32_000, {
      what: 'the ringing',
    });
    expect(satellite.told()).toContain('Trying again.');
  });
});

describe('the lights of the satellite', () => {
  test('get every state, from a program without a token', async () => {
    const file = join(folder, 'moments');
    const program = join(folder, 'light');
    writeFileSync(program, `#!/bin/sh\necho "$1 $SERVICE_TOKEN" >> ${file}\n`);
    chmodSync(program, 0o755);
    placeSoundCard(folder);
    server = await startFakeListen();
    startSatellite(['--url', server.url, '--on-event', program], { SERVICE_TOKEN: 'a-secret-token' });
    const session = await server.session();
    const moments = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
    await waitFor(() => moments().includes('connected '), { what: 'connected' });
    const asked = question();

    session.send('input_audio_buffer.speech_started', { turn_id: asked.turnId });
    await waitFor(() => moments().includes('listening '), { what: 'listening' });
    session.send('input_audio_buffer.cleared', { turn_id: asked.turnId });
    await waitFor(() => moments().includes('idle '), { what: 'idle' });
    session.send('input_audio_buffer.committed', { turn_id: asked.turnId });
    await waitFor(() => moments().includes('thinking '), { what: 'thinking' });
    session.send('response.output_audio.started', { turn_id: asked.turnId });
    await waitFor(() => moments().includes('speaking '), { what: 'speaking' });
    session.send('timer.finished');
    await waitFor(() => moments().includes('ringing '), { what: 'ringing' });
    session.drop();
    await waitFor(() => moments().includes('lost '), { what: 'lost' });

    expect(moments().join('')).not.toContain('a-secret-token');
  });
});

describe('the satellite with a sound card', () => {
  test('sends the sound of arecord, in frames of 20 ms', async () => {
    placeProgram(
      'arecord',
      `printf '%s\\n' "$@" > ${join(folder, 'args')}; head -c 64000 /dev/zero; exec sleep 60`,
    );
    server = await startFakeListen();
    startSatellite(['--url', server.url, '--mic-device', 'plughw:1', '--out', join(folder, 'a.wav')]);
    const session = await server.session();

    await waitFor(() => session.soundBytes() > 6_400);

    expect(session.soundBytes() % 640).toBe(0);
    expect(readFileSync(join(folder, 'args'), 'utf8')).toMatch(
      /raw\n-f\nS16_LE\n-r\n16000\n-c\n1\n-D\nplughw:1\n/,
    );
  });

  test('hears speech in its room', async () => {
    const soundCard = placeSoundCard(folder);
    server = await startFakeListen();
    startSatellite(['--url', server.url]);
    const session = await server.session();
    const spoken = Buffer.alloc(32 * 300, 5);

    await waitFor(() => session.soundBytes() > 0);
    soundCard.say(spoken);

    await waitFor(() => session.sound().includes(spoken));
  });

  test('plays speech and reports the played time', async () => {
    const { session } = await startWithSoundCard();
    const asked = question();

    session.begin(asked);
    session.end(asked);
    const finished = await session.event('playback.finished');

    expect(finished).toMatchObject({ turn_id: asked.turnId, played_ms: 400 });
    expect(played()).toEqual(asked.sound);
  });

  test('hears nothing while it speaks, if configured', async () => {
    placeProgram('arecord', `exec ${process.execPath} -e "${hum}"`);
    placeProgram('aplay', 'exec cat > /dev/null');
    server = await startFakeListen();
    startSatellite(['--url', server.url, '--half-duplex']);
    const session = await server.session();
    await waitFor(() => session.sound().includes(5));

    const asked = question(5_000);
    session.begin(asked);
    await waitFor(() =>
      session
        .sound()
        .subarray(-6_400)
        .every((byte) => byte === 0),
    );
    session.end(asked, { status: 'cancelled', reason: 'client_cancelled' });

    await waitFor(() => session.sound().at(-1) === 5);
  });

  test('falls silent at once at an interruption', async () => {
    placeSoundCard(folder);
    placeProgram('aplay', `echo $$ > ${join(folder, 'pid')}; exec sleep 60`);
    server = await startFakeListen();
    const satellite = startSatellite(['--url', server.url]);
    const session = await server.session();
    const asked = question(30_000);

    session.begin(asked);
    const pid = await waitFor(() => Number(readFileSync(join(folder, 'pid'), 'utf8')));
    session.end(asked, { status: 'cancelled', reason: 'turn_detected' });
    await waitFor(() => hasEnded(pid));
    const finished = await session.event('playback.finished');

    expect(finished['played_ms']).toBeLessThan(30_000);
    await satellite.tells(/interrupted/);
  });

  test('plays the next answer after an interrupted one', async () => {
    const { session } = await startWithSoundCard();
    const [cut, next] = [question(2_000), question(100)];

    session.begin(cut);
    session.end(cut, { status: 'cancelled', reason: 'turn_detected' });
    session.begin(next);
    session.end(next);

    const finished = await waitFor(
      () => session.events.find((event) => event['turn_id'] === next.turnId) ?? false,
    );
    expect(finished['played_ms']).toBe(100);
    expect(played().subarray(-next.sound.length)).toEqual(next.sound);
  });

  test.each([
    ['arecord', 'aplay'],
    ['aplay', 'arecord'],
  ] as const)('explains how to install %s when it is missing', async (missing, there) => {
    placeProgram(there, 'exec cat');
    server = await startFakeListen();
    const satellite = startSatellite(['--url', server.url]);
    const session = await server.session();

    session.begin(question());

    expect(await satellite.ended).toBe(2);
    expect(satellite.told()).toContain(
      `${missing} is missing. Install it with "sudo apt install alsa-utils"`,
    );
  });

  test('shows the error of arecord when there is no microphone', async () => {
    placeProgram(
      'arecord',
      'echo "arecord: main:831: audio open error: No such file or directory" >&2; exit 1',
    );
    server = await startFakeListen();

    const satellite = startSatellite(['--url', server.url]);

    expect(await satellite.ended).toBe(1);
    expect(satellite.told()).toContain(
      'arecord failed: audio open error: No such file or directory. "arecord -l" lists',
    );
  });
});

function hasEnded(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}

describe('the satellite with push-to-talk', () => {
  test('listens between two presses only', async () => {
    const { satellite, session } = await startWithSoundCard(['--push-to-talk']);
    await session.event('session.update');

    expect(session.soundBytes()).toBe(0);
    satellite.type('\n');
    await session.event('input_audio_buffer.clear');
    await waitFor(() => session.soundBytes() > 0);
    satellite.type('\n');
    await session.event('input_audio_buffer.commit');

    expect(session.events.map(({ type }) => type)).toEqual([
      'session.update',
      'input_audio_buffer.clear',
      'input_audio_buffer.commit',
    ]);
    expect(session.faults).toEqual([]);
  });

  test('stops the answer when the button is pressed', async () => {
    const { satellite, session } = await startWithSoundCard(['--push-to-talk']);
    session.begin(question(5_000));
    await satellite.tells(/Paris/);

    satellite.type('\n');

    await session.event('response.cancel');
    await session.event('playback.finished');
  });

  test('ends with an explanation without a keyboard', async () => {
    const { satellite } = await startWithSoundCard(['--push-to-talk']);

    satellite.closeInput();

    expect(await satellite.ended).toBe(2);
    expect(satellite.told()).toContain('Push-to-talk needs a keyboard');
  });
});

describe('the satellite and its connection', () => {
  test('reconnects when the server restarts, and continues', async () => {
    const { satellite, session, server } = await startWithSoundCard();
    session.begin(question(5_000));

    session.close(1001);
    const next = await server.session(1);
    const asked = question();
    next.begin(asked);
    next.end(asked);

    await next.event('playback.finished');
    expect(satellite.told()).toContain('Hearth is restarting. Trying again.');
  });

  test('reports an address without a server', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const satellite = startSatellite(['--url', url]);

    await satellite.tells(/Trying again/);

    expect(satellite.told()).toBe(`Hearth does not answer at ${url} (ECONNREFUSED). Trying again.\n`);
  });

  test('retries repeatedly, and reports it once', async () => {
    const busy = await startFakeListen({ refusal: { status: 503, message: 'Redis cannot be reached.' } });
    server = busy;
    const satellite = startSatellite(['--url', busy.url]);

    await waitFor(() => busy.refusals() >= 3);
    satellite.interrupt();

    expect(await satellite.ended).toBe(0);
    expect(satellite.told()).toBe(`${busy.url} answered 503: Redis cannot be reached. Trying again.\n`);
  });

  test.each([
    [401, 'The access key is wrong.', /answered 401: The access key is wrong\. Set SERVICE_TOKEN/],
    [403, 'Only the machine itself is answered.', /answered 403: Only the machine itself/],
    [404, 'There is nothing at this address.', /answered 404: this is not Hearth/],
  ])('ends when a retry is useless: %i', async (status, message, sentence) => {
    server = await startFakeListen({ refusal: { status, message } });

    const satellite = startSatellite(['--url', server.url, '--token', 'a-wrong-token']);

    expect(await satellite.ended).toBe(2);
    expect(satellite.told()).toMatch(sentence);
    expect(satellite.told()).not.toContain('a-wrong-token');
  });

  test.each([
    ['while it is connected', 4001],
    ['while the connection is broken', 1006],
  ])('ends when its token is revoked %s', async (_when, code) => {
    const { satellite, session, server: house } = await startWithSoundCard(['--token', 'a-former-token']);
    await satellite.tells(/Connected/);

    house.refuse({ status: 401, message: 'The access key is wrong.' });
    if (code === 1006) session.drop();
    else session.close(code);

    expect(await satellite.ended).toBe(2);
    expect(satellite.told()).toContain('Hearth no longer accepts the token of this satellite.');
    expect(satellite.told()).not.toContain('a-former-token');
  });

  test('yields to a newer one of the same name', async () => {
    const { satellite, session } = await startWithSoundCard();

    session.close(4000);

    expect(await satellite.ended).toBe(2);
    expect(satellite.told()).toContain('Another satellite is also called "tests".');
  });

  test('says goodbye on Ctrl-C', async () => {
    const { satellite, session } = await startWithSoundCard();

    satellite.interrupt();

    expect(await session.closed).toBe(1000);
    expect(await satellite.ended).toBe(0);
  });
});

describe('the options of the satellite', () => {
  test.each([
    [['--url', 'hearth.lan'], '"hearth.lan" is not an address of Hearth.'],
    [['--volume', '11'], "Unknown option '--volume'"],
    [['--in', '/nonexistent.wav'], '/nonexistent.wav cannot be read'],
    [['--in', satelliteProgram], 'is not a WAV file of 16 kHz'],
    [['--out', '/proc/nonexistent/a.wav'], '/proc/nonexistent/a.wav cannot be written'],
  ])('are explained when they are wrong: %j', async (args, sentence) => {
    const satellite = startSatellite(args);

    expect(await satellite.ended).toBe(2);
    expect(satellite.told()).toContain(sentence);
  });

  test('are listed by --help', async () => {
    const satellite = startSatellite(['--help']);

    expect(await satellite.ended).toBe(0);
    expect(satellite.said()).toContain('--push-to-talk');
  });
});
