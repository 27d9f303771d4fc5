/** @module-tag slow */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { durationMs, type Pcm } from '../../api/src/audio/pcm.ts';
import { createEngineClient } from '../../api/src/engines/engine-client.ts';
import { createEspeak } from '../../api/src/engines/espeak.ts';
import { createSttClient } from '../../api/src/engines/stt-client.ts';
import { wordErrors } from '../support/audio/word-errors.ts';
import { hasSpeechEngines, type RealEngine, startRealStt } from '../support/servers/real-speech.ts';
import { waitFor } from '../support/wait-for.ts';

const soon = () => AbortSignal.timeout(15_000);
const hasEspeak = spawnSync('espeak-ng', ['--version']).status === 0;
if (!hasEspeak) console.warn('espeak-ng is not installed: what it says is not tested.');

describe.skipIf(!hasEspeak)('espeak-ng (needs the program)', () => {
  const espeak = createEspeak({ path: 'espeak-ng', voice: 'en-us' });
  /** The duration of its speech; any skipped text makes it shorter. */
  const spokenMs = async (text: string) => durationMs(await espeak.speak(text, soon()));

  test('speaks a sentence at its own rate', async () => {
    const sound = await espeak.speak('Your pasta is ready.', soon());

    expect(sound.sampleRateHz).toBe(22_050);
    expect(durationMs(sound)).toBeGreaterThan(1_000);
    expect(durationMs(sound)).toBeLessThan(4_000);
  });

  test('treats no word of the text as an option', async () => {
    expect(await spokenMs('--version')).toBeGreaterThan(500);
    expect(await spokenMs('-w /tmp/hearth-espeak.wav hello there')).toBeGreaterThan(1_000);
    expect(existsSync('/tmp/hearth-espeak.wav')).toBe(false);
  });

  test.each([
    ['control characters', 'Good \u0000morning,\u0004 everybody.', 'Good morning, everybody.'],
    ['brackets of phonemes', 'Say [[hello]] now.', 'Say hello now.'],
  ])('speaks past %s', async (_, text, plain) => {
    const [odd, usual] = [await spokenMs(text), await spokenMs(plain)];

    expect(Math.abs(odd - usual)).toBeLessThan(200);
  });

  test('speaks letters of every language', async () => {
    expect(await spokenMs('Ça va, Zoë? Привет, 日本.')).toBeGreaterThan(1_000);
  });

  test('refuses a text that would take minutes', async () => {
    await expect(espeak.speak('word '.repeat(1_000), soon())).rejects.toMatchObject({ failure: 'refused' });
  });

  test('returns no sound for an unknown voice', async () => {
    const unknown = createEspeak({ path: 'espeak-ng', voice: 'xx-nobody' });

    await expect(unknown.speak('Hello.', soon())).rejects.toMatchObject({ engine: 'tts', failure: 'broken' });
  });

  test('returns the same sound for the same words, in parallel', async () => {
    const sounds = await Promise.all(Array.from({ length: 8 }, () => espeak.speak('It is ten.', soon())));

    expect(new Set(sounds.map(({ samples }) => samples.toString('base64'))).size).toBe(1);
  });
});

describe('a voice of the system', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'espeak-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A program in place of espeak-ng, which writes its process id to a file. */
  function programThat(does: string): string {
    const path = join(folder, 'espeak');
    writeFileSync(path, `#!/bin/sh\necho $$ > ${folder}/pid\n${does}\n`);
    chmodSync(path, 0o755);
    return path;
  }
  const speaksWith = (path: string) => createEspeak({ path, voice: 'en-us' });
  const pidOf = () => (existsSync(`${folder}/pid`) ? Number(readFileSync(`${folder}/pid`, 'utf8')) : 0);

  test('that is not installed is unreachable', async () => {
    await expect(speaksWith('/nowhere/espeak-ng').speak('Hello.', soon())).rejects.toMatchObject({
      name: 'EngineError',
      engine: 'tts',
      failure: 'unreachable',
    });
  });

  test.each([
    ['says nothing', 'exit 0'],
    ['fails', 'exit 3'],
    ['says something else', 'echo hello'],
    ['never stops', 'exec yes'],
  ])('that %s is broken', async (_, does) => {
    await expect(speaksWith(programThat(does)).speak('Hello.', soon())).rejects.toMatchObject({
      name: 'EngineError',
      failure: 'broken',
    });
  });

  test('ends with its turn', async () => {
    const turn = new AbortController();
    const speaking = speaksWith(programThat('exec sleep 60')).speak('Hello.', turn.signal);
    await waitFor(() => pidOf() > 0);

    turn.abort(new Error('the person has left'));

    await expect(speaking).rejects.toThrow('the person has left');
    expect(() => process.kill(pidOf(), 0)).toThrow('ESRCH');
  });

  test('sees nothing of our environment', async () => {
    await expect(speaksWith(programThat(`env > ${folder}/env`)).speak('Hi.', soon())).rejects.toThrow();

    const names = readFileSync(`${folder}/env`, 'utf8').split('\n').filter(Boolean);
    // The shell itself adds these.
    expect(names.filter((line) => !/^(PWD|SHLVL|_|OLDPWD)=/.test(line))).toEqual([]);
  });
});

describe.skipIf(!hasEspeak || !hasSpeechEngines)('espeak-ng (needs .venv and models too)', () => {
  let sttEngine: RealEngine;
  beforeAll(async () => {
    sttEngine = await startRealStt();
  });
  afterAll(() => sttEngine?.stop());

  test('is understood by our own speech recognition', async () => {
    const espeak = createEspeak({ path: 'espeak-ng', voice: 'en-us' });
    const stt = createSttClient({ http: createEngineClient('stt'), baseUrl: sttEngine.url });
    await stt.findModel(soon());
    const misheard: string[] = [];
    let wrong = 0;

    for (const said of sentences) {
      const sound = inARoom(await espeak.speak(said, soon()));
      const { segments } = await stt.transcribe({ sound, signal: soon() });
      const transcript = segments.map(({ text }) => text).join(' ');
      wrong += wordErrors(said, transcript);
      if (wordErrors(said, transcript) > 0) misheard.push(`${said} -> ${transcript}`);
    }

    const words = sentences.join(' ').split(' ').length;
    expect(wrong / words, misheard.join('\n')).toBeLessThanOrEqual(0.1);
  });
});

/** A recording never starts and ends exactly with the words. */
function inARoom({ sampleRateHz, samples }: Pcm): Pcm {
  const pause = Buffer.alloc(Math.round(sampleRateHz * 0.4) * 2);
  return { sampleRateHz, samples: Buffer.concat([pause, samples, pause]) };
}

const sentences = [
  'I could not reach the language model.',
  'Sorry, I did not catch that.',
  'The capital of France is Paris.',
  'Your timer for ten minutes is set.',
  'I added milk and bread to the shopping list.',
  'The kitchen lights are on.',
  'Something went wrong, please try again.',
  'Good morning, it is half past seven.',
  'There are seven days in a week.',
  'Your pasta timer is ready.',
];
