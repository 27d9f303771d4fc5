/** @module-tag slow */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createDecoder } from '../../api/src/audio/decode.ts';
import { durationMs } from '../../api/src/audio/pcm.ts';
import { writeWav } from '../../api/src/audio/wav.ts';
import { AppError } from '../../api/src/errors.ts';
import {
  canRecord,
  clip,
  clipFile,
  equalWeights,
  ffmpegPath,
  formats,
  fullFfmpegOutput,
  record,
} from '../support/audio/recordings.ts';
import { likeness, quiet, tone } from '../support/audio/tones.ts';
import { unknownLength } from '../support/audio/wav-files.ts';
import { childrenNamed } from '../support/children.ts';
import { heldBytes } from '../support/memory.ts';
import { waitFor } from '../support/wait-for.ts';

if (!canRecord) console.warn('The ffmpeg of make run is not installed: reading recordings is not tested.');

const decoder = createDecoder({ ffmpegPath, maxSeconds: 120, maxAtOnce: 2, weighChannels: equalWeights });
const soon = () => AbortSignal.timeout(15_000);
const decode = (bytes: Buffer, contentType?: string) => decoder.decode(bytes, contentType, soon());
/** The code of the refusal; a readable recording has none. */
const refusalOf = (bytes: Buffer, contentType?: string) =>
  decode(bytes, contentType).then(
    ({ samples }) => `${samples.length} bytes of sound`,
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );

describe.skipIf(!canRecord)('a recording (needs ffmpeg)', () => {
  const said = clip('weather');
  const recorded = new Map<string, Buffer>();

  beforeAll(async () => {
    for (const [name, output] of Object.entries(formats)) {
      recorded.set(name, await record(['-i', clipFile('weather')], output));
    }
  });
  afterEach(() => {
    expect(childrenNamed('ffmpeg')).toEqual([]);
  });

  describe('of one clip', () => {
    test.each(Object.keys(formats))('is decoded from %s', async (name) => {
      const sound = await decode(recorded.get(name) ?? Buffer.alloc(0), 'application/octet-stream');

      expect(sound.sampleRateHz).toBe(16_000);
      expect(Math.abs(durationMs(sound) - durationMs(said))).toBeLessThan(120);
      // AMR keeps only the tones of a telephone call, and those badly.
      expect(likeness(sound, said)).toBeGreaterThan(name.includes('AMR') ? 0.6 : 0.95);
    });

    test.each(['audio/mpeg', 'audio/pcm', 'application/json', undefined])(
      'is read as WAV whatever its type says: %s',
      async (contentType) => {
        expect(await decode(writeWav(said), contentType)).toEqual(said);
      },
    );

    test('is decoded with weighted channels in any order', async () => {
      const opposite = ['-af', 'pan=stereo|c0=c0|c1=-1*c0'];
      const turned = createDecoder({
        ...{ ffmpegPath, maxSeconds: 120, maxAtOnce: 2 },
        weighChannels: async ({ channels }) => [0.5, -0.5].slice(0, channels),
      });
      for (const file of ['a.flac', 'a.wav']) {
        const recording = await record(['-i', clipFile('weather')], [...opposite, file]);

        expect(likeness(await turned.decode(recording, undefined, soon()), said)).toBeGreaterThan(0.99);
      }
    });

    test('is decoded without a known length', async () => {
      const streamed = await fullFfmpegOutput('-i', clipFile('weather'), '-f', 'wav', 'pipe:1');
      expect(streamed.subarray(4, 8)).toEqual(Buffer.alloc(4, 0xff));

      expect(likeness(await decode(streamed), said)).toBeGreaterThan(0.999);
    });

    test('is decoded from raw samples of a declared format', async () => {
      const turned = Buffer.from(said.samples).swap16();

      expect(await decode(said.samples, 'audio/pcm')).toEqual(said);
      expect(await decode(turned, 'audio/L16; rate=16000')).toEqual(said);
      expect(durationMs(await decode(said.samples, 'audio/pcm;rate=8000'))).toBe(2 * durationMs(said));
    });

    test('is decoded up to its end if it is truncated', async () => {
      const cut = unknownLength(writeWav(said)).subarray(0, 16_045);

      expect((await decode(cut)).samples).toEqual(said.samples.subarray(0, 16_000));
    });

    test.each([
      ['AAC', ['-c:a', 'aac']],
      ['Vorbis', ['-c:a', 'libvorbis']],
    ])('is refused if only a part of it can be read, as with %s in a WAV', async (_, codec) => {
      const recording = await record(['-stream_loop', '2', '-i', clipFile('weather')], [...codec, 'a.wav']);

      const refusal = await decode(recording).catch(String);

      expect(refusal).toContain('Only a part of the recording can be read');
    });

    test.each(
      [
        ...['M4A with its index at the end', 'M4A with its index first', 'M4A without loss', 'MOV'],
        ...['AIFF', 'AU', 'CAF', 'FLAC'],
      ].flatMap((name) => [0.3, 0.6, 0.99].map((share) => ({ name, share }))),
    )('is reported as cut off if $name ends after $share of it', async ({ name, share }) => {
      const whole = recorded.get(name) ?? Buffer.alloc(0);

      const refusal = await decode(whole.subarray(0, Math.ceil(whole.length * share))).catch(String);

      expect(refusal).toMatch(/The recording is cut off|Only a part of the recording can be read/);
    });

    test.each(Object.keys(formats))('is decoded in part or refused if %s breaks off', async (name) => {
      const whole = recorded.get(name) ?? Buffer.alloc(0);
      for (const share of [0.001, 0.03, 0.3, 0.7, 0.99]) {
        const part = whole.subarray(0, Math.ceil(whole.length * share));
        const result = await decode(part).then(durationMs, (error: AppError) => error.code);

        if (typeof result === 'number') expect(result).toBeLessThan(durationMs(said) + 120);
        else expect(['audio_unreadable', 'no_audio']).toContain(result);
      }
    });
  });

  describe('without sound', () => {
    test('is required when the body is empty', async () => {
      expect(await refusalOf(Buffer.alloc(0), 'audio/wav')).toBe('no_audio');
      expect(await refusalOf(writeWav(quiet(0)))).toBe('no_audio');
      expect(await refusalOf(Buffer.from([1]), 'audio/pcm')).toBe('no_audio');
    });

    test.each([
      ['JSON', '{"text": "what time is it"}', 'application/json'],
      ['text', 'what time is it', 'text/plain'],
      ['a page', '<!doctype html><audio src="a.mp3">', 'text/html'],
      ['a picture', '\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
      ['a film without sound', 'RIFF\x40\0\0\0AVI LIST', 'video/avi'],
    ])('is refused: %s', async (_, body, contentType) => {
      expect(await refusalOf(Buffer.from(body, 'latin1'), contentType)).toBe('audio_unreadable');
    });

    test('is refused in a hundred random files', async () => {
      const found = new Set<unknown>();
      for (let seed = 0; seed < 100; seed += 1) found.add(await refusalOf(chance(seed, 10 * seed ** 2)));

      // The first one is empty.
      expect([...found]).toEqual(['no_audio', 'audio_unreadable']);
    });
  });

  describe('that is too long', () => {
    const minutesOf = (seconds: number, ...output: readonly string[]) =>
      record(['-f', 'lavfi', '-i', `sine=frequency=300:sample_rate=8000:duration=${seconds}`], output);

    test.each([['a.mp3'], ['a.wav'], ['a.m4a']])('is refused with the limit: %s', async (file) => {
      await expect(decode(await minutesOf(122, file))).rejects.toMatchObject({
        code: 'too_large',
        message: expect.stringContaining('120 seconds'),
      });
    });

    test.each([['a.mp3'], ['a.wav'], ['a.m4a']])('is accepted up to the limit: %s', async (file) => {
      const sound = await decode(await minutesOf(120, file));

      expect(Math.round(durationMs(sound) / 1_000)).toBe(120);
    });

    test('takes little memory: ten hours in a small file', async () => {
      const bomb = await hoursOfSilence();
      const peak = { ffmpegKb: 0 };
      const watch = setInterval(() => {
        for (const pid of childrenNamed('ffmpeg')) peak.ffmpegKb = Math.max(peak.ffmpegKb, peakKb(pid));
      }, 5);

      const refusal = await refusalOf(bomb).finally(() => clearInterval(watch));

      expect(refusal).toBe('too_large');
      expect(bomb.length).toBeLessThan(2_000_000);
      expect(peak.ffmpegKb).toBeLessThan(150_000);
    });
  });

  test('stops its program when the caller leaves', async () => {
    const patient = createDecoder({
      ffmpegPath,
      maxSeconds: 36_000,
      maxAtOnce: 2,
      weighChannels: equalWeights,
    });
    const caller = new AbortController();
    const decoding = patient.decode(await hoursOfSilence(), undefined, caller.signal);
    await waitFor(() => childrenNamed('ffmpeg').length === 1);

    caller.abort(new Error('hung up'));

    await expect(decoding).rejects.toThrow('hung up');
    expect(childrenNamed('ffmpeg')).toEqual([]);
  });

  test('waits while two others are decoded, but not for many', async () => {
    const mp3 = recorded.get('MP3') ?? Buffer.alloc(0);
    let most = 0;
    const watch = setInterval(() => {
      most = Math.max(most, childrenNamed('ffmpeg').length);
    }, 1);

    const results = await Promise.all(Array.from({ length: 11 }, () => refusalOf(mp3)));
    clearInterval(watch);

    expect(results.filter((result) => result === 'overloaded')).toHaveLength(1);
    expect(results.filter((result) => String(result).endsWith('of sound'))).toHaveLength(10);
    expect(most).toBeLessThanOrEqual(2);
  });

  test('leaves nothing behind when it is bad, in any number', async () => {
    const flac = recorded.get('FLAC') ?? Buffer.alloc(0);
    const bad = (n: number) =>
      n % 2 ? chance(n, 100_000) : Buffer.concat([flac.subarray(0, 60), chance(n, 100_000)]);
    const some = async (count: number) => {
      for (let n = 0; n < count; n += 1) await refusalOf(bad(n));
      return heldBytes();
    };
    await some(20);

    const held = [await some(40), await some(40), await some(40)];

    // One round has 4 MB. A leak remains in every round; other work of this process does not.
    const grown = held.slice(1).map((bytes, round) => bytes - (held[round] ?? 0));
    expect(Math.min(...grown)).toBeLessThan(2_000_000);
    expect((await decode(flac)).sampleRateHz).toBe(16_000);
  });
});

describe('without ffmpeg', () => {
  const bare = createDecoder({
    ffmpegPath: '/nowhere/ffmpeg',
    maxSeconds: 120,
    maxAtOnce: 2,
    weighChannels: equalWeights,
  });

  test('a WAV is read all the same', async () => {
    const said = tone(500);

    expect(await bare.decode(writeWav(said), undefined, soon())).toEqual(said);
  });

  test('any other format is answered with the readable ones', async () => {
    await expect(bare.decode(Buffer.from('OggS'), 'audio/ogg', soon())).rejects.toMatchObject({
      code: 'audio_unreadable',
      message: expect.stringContaining('only read WAV'),
    });
  });
});

/** Meaningless bytes, the same for the same seed. */
function chance(seed: number, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, n) =>
    createHash('sha512').update(`${seed} ${n}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

let silence: Promise<Buffer> | undefined;
/** Ten hours in under 2 MB. */
function hoursOfSilence(): Promise<Buffer> {
  silence ??= record(
    ['-f', 'lavfi', '-i', 'anullsrc=sample_rate=1000:channel_layout=mono', '-t', '36000'],
    ['-frame_size', '65535', '-compression_level', '0', 'a.flac'],
  );
  return silence;
}

/** The peak memory of a process, in kB. */
function peakKb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0);
  } catch {
    return 0; // It ended while we looked.
  }
}
