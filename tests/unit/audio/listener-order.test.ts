import { describe, expect, test } from 'vitest';
import { createListener } from '../../../api/src/audio/listener.ts';
import { durationMs } from '../../../api/src/audio/pcm.ts';
import type { Vad } from '../../../api/src/audio/vad.ts';
import { soundsOf, types } from '../../support/audio/hear.ts';
import { silencesAfter } from '../../support/audio/silences.ts';
import { quiet } from '../../support/audio/spoken-clips.ts';
import { heldMemory } from '../../support/memory.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Lets the test set the voice detection's certainty by the loudness of the sound. */
const vadByLoudness: Vad = {
  open: () => ({ speech: async (frame) => Math.abs(frame.readInt16LE(0)) / 32_767 }),
};
const tone = (ms: number, level = 1) => {
  const sound = quiet(ms);
  for (let at = 0; at < sound.length; at += 2) sound.writeInt16LE(Math.round(level * 32_767), at);
  return sound;
};

describe('the listener, with a scripted voice', () => {
  const newListener = () => createListener({ vad: vadByLoudness, silences: silencesAfter(600) });

  test('returns a continued command together with its beginning', async () => {
    const listens = newListener();
    const first = [...(await listens.push(Buffer.concat([quiet(640), tone(640), quiet(320)])))];
    first.push(...(await listens.expect('whole', 1_600)));
    const second = await listens.push(Buffer.concat([tone(640, 0.8), quiet(640)]));

    expect(types(first)).toEqual(['started', 'paused', 'ended']);
    expect(second[0]).toMatchObject({ type: 'started', continues: true });
    const ended = second.at(-1);
    if (ended?.type !== 'ended') throw new Error('the second did not end');
    // Its own sound starts in the silence between the two; the joined one 480 ms before the first.
    expect(ended.sound.samples.readInt16LE(0)).toBe(0);
    expect(durationMs(ended.sound)).toBeCloseTo(288 + 640 + 64, -2);
    expect(durationMs(ended.joined ?? expect.fail())).toBeCloseTo(480 + 640 + 320 + 640 + 64, -2);
  });

  test('does not join later speech', async () => {
    const listens = newListener();
    await listens.push(Buffer.concat([tone(640), quiet(320)]));
    await listens.expect('whole', 960);
    const second = await listens.push(Buffer.concat([quiet(640), tone(640), quiet(640)]));

    expect(second.at(-1)).toMatchObject({ type: 'ended', joined: null });
  });

  test('executes its orders in sequence', async () => {
    const listens = newListener();
    const pushed = listens.push(tone(640));
    const committed = listens.commit();
    const after = listens.push(tone(640));

    expect(types(await pushed)).toEqual(['started']);
    expect(await committed).toMatchObject({ type: 'ended', atMs: 640, cause: 'commit' });
    expect(types(await after)).toEqual(['started']);
  });

  test('reports a button release without speech', async () => {
    const listens = newListener();
    await listens.set({ isManual: true });
    await listens.push(quiet(1_000));

    expect(await listens.commit()).toBeNull();
  });

  test('requires a higher score while the assistant is audible', async () => {
    let isPlaying = true;
    const listens = createListener({
      vad: vadByLoudness,
      silences: silencesAfter(600),
      isPlaying: () => isPlaying,
    });

    expect(await listens.push(tone(1_000, 0.6))).toEqual([]);
    isPlaying = false;
    expect(types(await listens.push(tone(1_000, 0.6)))).toEqual(['started']);
  });

  test('ends an utterance at 30 s of sound', async () => {
    const edges = await newListener().push(Buffer.concat([quiet(1_024), tone(40_000)]));

    expect(types(edges)).toEqual(['started', 'ended']);
    expect(durationMs(soundsOf(edges)[0] ?? expect.fail())).toBeLessThanOrEqual(30_000);
    expect(durationMs(soundsOf(edges)[0] ?? expect.fail())).toBeGreaterThan(29_900);
  });

  test('reports how far it lags behind', async () => {
    const listens = newListener();
    const pushed = listens.push(quiet(1_024));

    expect(listens.waitingMs).toBe(1_024);
    await pushed;
    expect(listens.waitingMs).toBe(0);
  });

  test('continues after a frame that it cannot process', async () => {
    let isBroken = true;
    const breaks: Vad = {
      open: () => ({
        speech: async () => {
          if (isBroken) throw new Error('no memory');
          return 0.9;
        },
      }),
    };
    const listens = createListener({ vad: breaks, silences: silencesAfter(600) });

    await expect(listens.push(quiet(320))).rejects.toThrow('no memory');
    isBroken = false;
    expect(types(await listens.push(quiet(320)))).toEqual(['started']);
    expect(listens.waitingMs).toBe(0);
  });

  test('stores no silence, however long', async () => {
    const listens = newListener();
    await listens.push(quiet(10_000));
    const heldSound = () => heldMemory().arrayBuffers;
    const before = heldSound();
    for (let second = 0; second < 600; second += 1) await listens.push(quiet(1_000));

    // Ten minutes are 19 MB. Unneeded memory is freed a moment later.
    await waitFor(() => heldSound() - before < 1_000_000, { what: 'sound to be forgotten' });
  });
});
