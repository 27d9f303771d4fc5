import { beforeEach, describe, expect, test } from 'vitest';
import { AppError } from '../../../api/src/errors.ts';
import type { TranscriptionListener } from '../../../api/src/listen/transcription-session.ts';
import { createTranscription } from '../../../api/src/wyoming/transcription.ts';

const format = { rate: 16_000, width: 2, channels: 1 } as const;
const second = Buffer.alloc(32_000);

let nowMs: number;
let tell: TranscriptionListener;
let heard: number;
let commits: number;
let gone: AbortController;
beforeEach(() => {
  [nowMs, heard, commits] = [0, 0, 0];
  gone = new AbortController();
});

/** A transcription whose session is played by the test. */
const open = ({ language = 'en-US' } = {}) =>
  createTranscription({
    request: { language, transcript_names: ['Aoife'] },
    languageIn: (named) => {
      if (named === 'en-US') return 'en';
      throw new AppError('invalid_request', 'This household does not speak the language.');
    },
    clock: { nowMs: () => nowMs },
    signal: gone.signal,
    onRoom: () => undefined,
    open: (side) => {
      tell = side.tell;
      expect(side.options()).toEqual({ times: false, words: false, language: 'en', prompt: 'Aoife' });
      return {
        pushAudio: async (samples) => {
          heard += samples.length;
        },
        waitingMs: () => 0,
        set: () => undefined,
        commit: async () => {
          commits += 1;
        },
        clear: async () => undefined,
        isBusy: () => false,
        close: () => undefined,
      };
    },
  });

describe('a transcription', () => {
  test("ends after a live speaker's utterance, and hears no more", async () => {
    const transcription = open();
    transcription.push(format, second);
    nowMs = 1_000;
    tell.started('a', 0);
    tell.committed('a');
    transcription.push(format, second);
    tell.written('a', 'Turn on the light.', 1);

    expect(await transcription.words).toBe('Turn on the light.');
    expect(heard).toBe(second.length);
  });

  test('continues to the end of a recording, which comes faster than speech', async () => {
    const transcription = open();
    for (let at = 0; at < 5; at += 1) transcription.push(format, second);
    for (const id of ['a', 'b']) {
      tell.started(id, 0);
      tell.committed(id);
      tell.written(id, `Part ${id}.`, 1);
    }
    await transcription.end();

    expect(await transcription.words).toBe('Part a. Part b.');
  });

  test('in a language that the household does not speak is refused, and its sound is not heard', async () => {
    const transcription = open({ language: 'fr' });
    transcription.push(format, second);
    await transcription.end();

    await expect(transcription.words).rejects.toMatchObject({ code: 'invalid_request' });
    expect([heard, commits]).toEqual([0, 0]);
  });

  test('ends without speech', async () => {
    const transcription = open();
    for (let at = 0; at <= 15; at += 1) {
      nowMs = at * 1_000;
      transcription.push(format, second);
    }

    expect(await transcription.words).toBe('');
    expect(commits).toBe(1);
  });

  test('reports why it failed, and that its caller has gone', async () => {
    const failed = open();
    tell.failed('a', new AppError('stt_unavailable'));
    await expect(failed.words).rejects.toMatchObject({ code: 'stt_unavailable' });

    const left = open();
    gone.abort();
    await expect(left.words).rejects.toMatchObject({ code: 'turn_cancelled' });
  });
});
