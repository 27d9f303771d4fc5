import { describe, expect, test } from 'vitest';
import { createListener } from '../../../api/src/audio/listener.ts';
import { durationMs } from '../../../api/src/audio/pcm.ts';
import { loadVad } from '../../../api/src/audio/vad.ts';
import { hear, soundsOf, spans, types } from '../../support/audio/hear.ts';
import { silencesAfter } from '../../support/audio/silences.ts';
import { fan, quiet, spokenClip } from '../../support/audio/spoken-clips.ts';

const vad = await loadVad();
const listener = (endSilenceMs = 600) => createListener({ vad, silences: silencesAfter(endSilenceMs) });

describe('the listener', () => {
  test('returns the sound of an utterance, with a short lead-in', async () => {
    const edges = await hear(listener(), quiet(1_000), spokenClip('weather'), quiet(1_000));

    expect(types(edges)).toEqual(['started', 'paused', 'ended']);
    const [paused, ended] = soundsOf(edges);
    expect(ended).toEqual(paused);
    // 0.3 s before it, 1.4 s of voice, 0.2 s of the pause.
    expect(durationMs(ended ?? expect.fail())).toBeGreaterThan(1_800);
    expect(durationMs(ended ?? expect.fail())).toBeLessThan(2_000);
  });

  test('keeps a sentence with a pause for breath together', async () => {
    const breath = [spokenClip('weather'), quiet(400), spokenClip('hello'), quiet(1_000)];

    const edges = await hear(listener(), quiet(500), ...breath);

    expect(types(edges)).toEqual(['started', 'paused', 'resumed', 'paused', 'ended']);
    expect(durationMs(soundsOf(edges).at(-1) ?? expect.fail())).toBeGreaterThan(2_700);
  });

  test('separates two requests', async () => {
    const two = [spokenClip('weather'), quiet(3_000), spokenClip('hello'), quiet(1_000)];

    const edges = await hear(listener(), quiet(500), ...two);

    expect(types(spans(edges))).toEqual(['started', 'ended', 'started', 'ended']);
    expect(durationMs(soundsOf(edges).at(-1) ?? expect.fail())).toBeLessThan(1_300);
  });

  test.each([
    ['silence', quiet(5_000)],
    ['a fan', fan(5_000, 0.2)],
    ['a switch', Buffer.concat([quiet(500), fan(10, 0.9), quiet(500), fan(10, 0.9), quiet(500)])],
  ])('hears no speech in %s', async (_, sound) => {
    expect(await hear(listener(), sound)).toEqual([]);
  });

  test('hears a request through the noise of a fan', async () => {
    const spoken = spokenClip('weather');
    const noisy = Buffer.from(spoken);
    const noise = fan(spoken.length / 32 + 1);
    for (let at = 0; at < noisy.length; at += 2) {
      noisy.writeInt16LE(
        Math.max(-32_768, Math.min(32_767, noisy.readInt16LE(at) + noise.readInt16LE(at))),
        at,
      );
    }

    const edges = await hear(listener(), fan(10_000), noisy, fan(1_000));

    expect(types(spans(edges))).toEqual(['started', 'ended']);
  });

  test('returns the same for any split of the bytes, even odd ones', async () => {
    const sound = Buffer.concat([quiet(500), spokenClip('stop-stop'), quiet(1_000)]);
    const odd = listener();
    const pieces = Array.from({ length: Math.ceil(sound.length / 333) }, (_, index) =>
      odd.push(sound.subarray(index * 333, (index + 1) * 333)),
    );

    expect((await Promise.all(pieces)).flat()).toEqual(await listener().push(sound));
  });

  test('returns the speech so far while a person speaks', async () => {
    const microphone = listener();
    expect(microphone.soFar()).toBeNull();

    await hear(microphone, quiet(480), spokenClip('weather').subarray(0, 32_000));

    expect(microphone.soFar()).toMatchObject({ untilMs: 1_472, lengthMs: 1_408, joined: null });
    await hear(microphone, quiet(1_000));
    expect(microphone.soFar()).toBeNull();
  });

  test('does not take the loudspeaker beside it for a voice', async () => {
    const reply = spokenClip('weather');
    const beside = createListener({ vad, silences: silencesAfter(600), isPlaying: () => true });
    await beside.push(quiet(1_000));
    beside.played(reply);

    // The satellite plays it 200 ms later, and the microphone stands beside its loudspeaker.
    expect(await hear(beside, quiet(200), reply, quiet(500))).toEqual([]);
    expect(types(await hear(beside, spokenClip('hello')))[0]).toBe('started');
  });

  test('recognizes the end of a reply that returns after the playback', async () => {
    const reply = spokenClip('weather');
    let isPlaying = true;
    const beside = createListener({ vad, silences: silencesAfter(600), isPlaying: () => isPlaying });
    await beside.push(quiet(1_000));
    beside.played(reply);
    const late = Buffer.concat([quiet(500), reply, quiet(500)]);
    const overAt = reply.length - (reply.length % 640);
    expect(await hear(beside, late.subarray(0, overAt))).toEqual([]);
    isPlaying = false;

    expect(await hear(beside, late.subarray(overAt))).toEqual([]);
  });
});
