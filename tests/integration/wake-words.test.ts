/** @module-tag slow */
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FlatBufferTable, readFlatBuffer } from '../../api/src/wake/flat-buffer.ts';
import { createStreamingModel } from '../../api/src/wake/streaming-model.ts';
import { UnreadableModel } from '../../api/src/wake/unreadable-model.ts';
import type { WakeWord } from '../../api/src/wake/wake-word.ts';
import { type WakeHit, WakeWordDetector } from '../../api/src/wake/wake-word-detector.ts';
import { readWakeWordFolder } from '../../api/src/wake/wake-word-folder.ts';
import { heldBytes } from '../support/memory.ts';
import { askDetector, referenceSchema } from '../support/wake/reference.ts';
import { inRow, noise, referenceSounds, seeded, spokenWord } from '../support/wake/sounds.ts';
import { fetchedWakeWords } from '../support/wake/words.ts';

const file = new URL('../support/wake/reference.json', import.meta.url);
const reference = referenceSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
const sounds = referenceSounds();
const hasWords = fetchedWakeWords.length === 2;
const [jarvis, nabu] = fetchedWakeWords;
const pause = (ms: number) => new Int16Array(ms * 16);

function hear(
  sound: Int16Array | Float32Array,
  words: readonly WakeWord[],
  pieces = sound.length,
): WakeHit[] {
  const detector = new WakeWordDetector(words);
  const hits: WakeHit[] = [];
  for (let at = 0; at < sound.length; at += pieces)
    hits.push(...detector.push(sound.subarray(at, at + pieces)));
  return hits;
}

/** Position of a table's field in its file. */
function placeOf(bytes: Uint8Array, table: FlatBufferTable | undefined, field: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const at = table?.at ?? 0;
  return at + view.getUint16(at - view.getInt32(at, true) + 4 + 2 * field, true);
}

describe.skipIf(!hasWords)('wake words (needs the fetched models)', () => {
  const words = fetchedWakeWords;
  const nabuModel = nabu?.model ?? new Uint8Array();

  test.each([...sounds.keys()])(
    'are detected as by the C library, probability for probability: %s',
    (name) => {
      const sound = sounds.get(name) ?? new Int16Array();

      expect(askDetector(sound, words)).toEqual(reference[name]);
    },
  );

  test('are reported once each, with their time', () => {
    const sound = inRow(
      spokenWord('okay-nabu'),
      pause(2_000),
      spokenWord('hey-jarvis'),
      pause(2_000),
      spokenWord('okay-nabu'),
    );

    const sure = hear(sound, words).filter(({ certainty }) => certainty === 'sure');

    expect(sure.map(({ word }) => word)).toEqual(['okay_nabu', 'hey_jarvis', 'okay_nabu']);
    const times = sure.map(({ atMs }) => atMs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // The word ends 0.5 s before its clip does.
    expect(Math.abs((times[0] ?? 0) - 1_500)).toBeLessThan(350);
    expect(sure.every(({ score }) => score > 0.85 && score <= 1)).toBe(true);
  });

  test.each([1, 333, 320, 4_000])('are the same in pieces of %i samples', (pieces) => {
    const sound = inRow(spokenWord('okay-nabu'), spokenWord('hey-jarvis'));

    expect(hear(sound, words, pieces)).toEqual(hear(sound, words));
  });

  test('are the same in floats', () => {
    const sound = spokenWord('okay-nabu');

    expect(
      hear(
        Float32Array.from(sound, (sample) => sample / 32_768),
        words,
      ),
    ).toEqual(hear(sound, words));
  });

  test('are unsure above the lower threshold, and sure above their own', () => {
    const detector = new WakeWordDetector(nabu ? [nabu] : [], {
      sureAbove: { okay_nabu: 0.999 },
      perhapsAbove: 0.3,
    });
    const surer = new WakeWordDetector(nabu ? [nabu] : [], {
      sureAbove: { okay_nabu: 0.6 },
      perhapsAbove: 0.3,
    });
    const sound = inRow(spokenWord('okay-nabu'), pause(2_000));

    expect(detector.push(sound).map(({ certainty }) => certainty)).toEqual(['perhaps']);
    expect(surer.push(sound).map(({ certainty }) => certainty)).toEqual(['perhaps', 'sure']);
  });

  test('are dropped half said after a reset', () => {
    const sound = spokenWord('hey-jarvis');
    const detector = new WakeWordDetector(jarvis ? [jarvis] : []);

    detector.push(sound.subarray(0, 16_000));
    detector.reset();
    const hits = detector.push(sound.subarray(16_000));

    expect(hits).toEqual([]);
  });

  test('take no more memory after ten minutes of sound', () => {
    const detector = new WakeWordDetector(words);
    const minute = noise(60_000, { level: 0.2 });
    detector.push(minute);
    const before = heldBytes();

    for (let minutes = 0; minutes < 10; minutes += 1) detector.push(minute);

    expect(heldBytes() - before).toBeLessThan(200_000);
  });

  test('are detected in two streams at once as in each alone, and share their weights', () => {
    const [one, other] = [spokenWord('okay-nabu'), spokenWord('hey-jarvis')];
    const alone = [hear(one, words), hear(other, words)];
    const before = heldBytes();
    const detectors = Array.from({ length: 20 }, () => new WakeWordDetector(words));
    const bytesEach = (heldBytes() - before) / detectors.length;

    const hits = detectors.slice(0, 2).map((): WakeHit[] => []);
    for (let at = 0; at < Math.max(one.length, other.length); at += 320) {
      hits[0]?.push(...(detectors[0]?.push(one.subarray(at, at + 320)) ?? []));
      hits[1]?.push(...(detectors[1]?.push(other.subarray(at, at + 320)) ?? []));
    }

    expect(hits).toEqual(alone);
    // Without shared weights, each takes 600 kB.
    expect(bytesEach).toBeLessThan(400_000);
  });

  test('are refused when their model is truncated anywhere', () => {
    for (let length = 0; length < nabuModel.length; length += 1_000) {
      expect(() => createStreamingModel(nabuModel.slice(0, length)), `${length} bytes`).toThrow(
        UnreadableModel,
      );
    }
  });

  test('either run or are refused with a reason when bytes of their model are wrong', () => {
    const next = seeded(5);
    let refused = 0;
    for (let turn = 0; turn < 600; turn += 1) {
      const model = nabuModel.slice();
      // Most of the data besides the weights is in the second half.
      for (let n = 0; n < 8; n += 1)
        model[Math.floor((1 - next() ** 2) * model.length)] = Math.floor(next() * 256);
      try {
        createStreamingModel(model).run();
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadableModel);
        refused += 1;
      }
    }

    expect(refused).toBeGreaterThan(100);
  });

  test('are refused with operators unknown to the detector', () => {
    const root = readFlatBuffer(nabuModel, 'TFL3');
    const changed = (table: FlatBufferTable | undefined, field: number, value: number) => {
      const model = nabuModel.slice();
      model[placeOf(model, table, field)] = value;
      return model;
    };
    const code = root.tables(1).find((each) => each.int8(0) === 3);
    const tensor = root.tables(2)[0]?.tables(0)[50];

    expect(() => createStreamingModel(changed(code, 0, 99))).toThrow(
      'an operator that Hearth does not know (number 99)',
    );
    expect(() => createStreamingModel(changed(tensor, 1, 11))).toThrow(
      'a type of numbers that Hearth does not know (number 11)',
    );
    expect(() => createStreamingModel(changed(root, 0, 4))).toThrow(
      'it is of version 4 of its format, not 3',
    );
  });

  test('are refused when they would need more memory than their small file suggests', () => {
    const root = readFlatBuffer(nabuModel, 'TFL3');
    // Each tensor of 64 channels over time becomes 3,000 long: 192,000 numbers, still within the limit.
    const model = nabuModel.slice();
    const view = new DataView(model.buffer);
    for (const tensor of root.tables(2)[0]?.tables(0) ?? []) {
      const shape = tensor.int32s(0);
      if (shape[3] !== 64 || shape[0] !== 1) continue;
      const list = placeOf(model, tensor, 0);
      view.setInt32(list + view.getUint32(list, true) + 8, 3_000, true);
    }

    expect(() => createStreamingModel(model)).toThrow('it needs too much memory');
  });

  test('come from a folder, and invalid files are listed with their reason', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearth-wake-words-'));
    try {
      const manifest = (model: string) =>
        JSON.stringify({
          type: 'micro',
          wake_word: 'Okay Nabu',
          model,
          version: 2,
          micro: { probability_cutoff: 0.85, sliding_window_size: 5, feature_step_size: 10 },
        });
      writeFileSync(join(folder, 'good.tflite'), nabuModel);
      writeFileSync(join(folder, 'good.json'), manifest('good.tflite'));
      writeFileSync(join(folder, 'cut.tflite'), nabuModel.subarray(0, 40_000));
      writeFileSync(join(folder, 'cut.json'), manifest('cut.tflite'));
      writeFileSync(join(folder, 'huge.tflite'), '');
      truncateSync(join(folder, 'huge.tflite'), 100_000_000);
      writeFileSync(join(folder, 'huge.json'), manifest('huge.tflite'));
      writeFileSync(join(folder, 'lost.json'), manifest('nowhere.tflite'));
      writeFileSync(join(folder, 'alone.tflite'), nabuModel);

      const { words: found, refused } = readWakeWordFolder(folder);

      expect(found.map(({ id }) => id)).toEqual(['good']);
      expect(refused).toEqual([
        { file: 'cut.json', reason: 'it is cut off or damaged' },
        { file: 'huge.json', reason: 'it is too large (100.0 MB of at most 1)' },
        { file: 'lost.json', reason: 'its model is missing' },
        { file: 'alone.tflite', reason: 'no .json describes it, such as alone.json' },
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test('a missing folder contains no words', () => {
  expect(readWakeWordFolder('/nowhere/at/all')).toEqual({ words: [], refused: [] });
});
