/** @module-tag slow */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clipFile } from '../support/audio/recordings.ts';
import { freePort } from '../support/servers/free-port.ts';
import { startVoiceHousehold, type VoiceHousehold } from '../support/servers/voice-household.ts';
import { fetchedWakeWords, wakeWordFolder } from '../support/wake/words.ts';

const run = promisify(execFile);
const python = resolve(import.meta.dirname, '../../.venv/bin/python');
const clients = resolve(import.meta.dirname, '../support/clients');

const canRun = existsSync(python) && fetchedWakeWords.length > 0;

describe.skipIf(!canRun)('the wyoming package of PyPI (needs .venv and the models of wake words)', () => {
  let home: VoiceHousehold;
  beforeAll(async () => {
    const port = String(await freePort());
    home = await startVoiceHousehold({
      env: { WYOMING: '1', WYOMING_PORT: port, WAKE_WORDS_DIR: wakeWordFolder, HEARTH_LANGUAGE: 'en,de' },
    });
  });
  afterAll(() => home?.stop());

  const onlyEnglishAndGerman =
    'This household does not speak the language. It speaks en, de: HEARTH_LANGUAGE names them.';

  test('uses every service, with sound in odd sizes and in each language', async () => {
    const question = 'Why is the sky blue?';
    home.stt.hears(question);

    const { stdout } = await run(python, [
      join(clients, 'wyoming-client.py'),
      '127.0.0.1',
      String(home.assistant.wyomingPort),
      clipFile('hello'),
      resolve(import.meta.dirname, '../support/wake/okay-nabu.wav'),
    ]);

    expect(JSON.parse(stdout)).toEqual({
      programs: [1, 1, 1, 1],
      wake_models: ['hey_jarvis', 'okay_nabu'],
      pong: 'here',
      transcripts: { usual: question, odd: question, 'at once': question },
      detections: {
        usual: ['okay_nabu', expect.any(Number)],
        odd: ['okay_nabu', expect.any(Number)],
        // The time of the message that contained it.
        'at once': ['okay_nabu', 0],
      },
      no_detection: 'not-detected',
      unknown_word: 'There is no wake word "hey_nobody".',
      said: ['audio-start', true],
      streamed: ['audio-start', 'audio-stop'],
      handled: '3 plus 4 is 7.',
      languages: {
        asr: ['en', 'de'],
        tts: { household: ['en'], 'household-de': ['de'], 'en_US-joe-medium': ['en'] },
        handle: ['en', 'de'],
      },
      german: {
        transcript: [question, 'de'],
        handled: '3 plus 4 ist 7.',
        said: true,
        named: true,
      },
      french: {
        transcribe: onlyEnglishAndGerman,
        synthesize: onlyEnglishAndGerman,
        handle: onlyEnglishAndGerman,
      },
    });
    expect(home.stt.calls.map(({ form }) => form['language'])).toEqual(['en', 'en', 'en', 'de']);
    const prompts = new Set(home.stt.calls.map(({ form }) => form['prompt']));
    expect(prompts.size).toBe(2);
    // No voice of the test speaks German, so espeak-ng does.
    expect(home.piper.texts).not.toContain('Die Lampe ist grün.');
  });
});
