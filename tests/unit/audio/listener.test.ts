import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { createListener, type Heard, type Listener } from '../../../api/src/audio/listener.ts';
import { durationMs } from '../../../api/src/audio/pcm.ts';
import { loadVad, type Vad } from '../../../api/src/audio/vad.ts';
import {
  fan,
  quiet,
  type SpokenCase,
  spokenCase,
  spokenCases,
  spokenClip,
} from '../../support/spoken-clips.ts';
import { waitFor } from '../../support/wait-for.ts';

const vad = await loadVad();
const listener = (endSilenceMs = 600) => createListener({ vad, endSilenceMs });

/** As a satellite sends it: 20 ms at a time, here as fast as it is taken. */
async function hear(ears: Listener, ...sounds: Buffer[]): Promise<Heard[]> {
  const all = Buffer.concat(sounds);
  const heard: Heard[] = [];
  for (let at = 0; at < all.length; at += 640) heard.push(...(await ears.push(all.subarray(at, at + 640))));
  return heard;
}

const types = (heard: readonly Heard[]) => heard.map(({ type }) => type);
const soundsOf = (heard: readonly Heard[]) => heard.flatMap((each) => ('sound' in each ? [each.sound] : []));
/** Where utterances start, from which ms, and where they end. */
const spans = (heard: readonly Heard[]) => heard.filter(({ type }) => type === 'started' || type === 'ended');

/** Lets the test say how sure the voice detection is, by the loudness of what it hears. */
const vadByLoudness: Vad = {
  open: () => ({ speech: async (frame) => Math.abs(frame.readInt16LE(0)) / 32_767 }),
};
const tone = (ms: number, level = 1) => {
  const sound = quiet(ms);
  for (let at = 0; at < sound.length; at += 2) sound.writeInt16LE(Math.round(level * 32_767), at);
  return sound;
};

/** Bytes of sound in memory, without what nobody needs any more. */
function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

describe('listener', () => {
  test('hears an utterance and gives its sound, with a little from before it', async () => {
    const heard = await hear(listener(), quiet(1_000), spokenClip('weather'), quiet(1_000));

    expect(types(heard)).toEqual(['started', 'paused', 'ended']);
    const [paused, ended] = soundsOf(heard);
    expect(ended).toEqual(paused);
    // 0.3 s from before it, 1.4 s of voice, 0.2 s of the pause.
    expect(durationMs(ended ?? expect.fail())).toBeGreaterThan(1_800);
    expect(durationMs(ended ?? expect.fail())).toBeLessThan(2_000);
  });

  test('keeps a sentence with a pause for breath together', async () => {
    const breath = [spokenClip('weather'), quiet(450), spokenClip('hello'), quiet(1_000)];

    const heard = await hear(listener(), quiet(500), ...breath);

    expect(types(heard)).toEqual(['started', 'paused', 'resumed', 'paused', 'ended']);
    expect(durationMs(soundsOf(heard).at(-1) ?? expect.fail())).toBeGreaterThan(2_700);
  });

  test('separates two requests', async () => {
    const two = [spokenClip('weather'), quiet(3_000), spokenClip('hello'), quiet(1_000)];

    const heard = await hear(listener(), quiet(500), ...two);

    expect(types(spans(heard))).toEqual(['started', 'ended', 'started', 'ended']);
    expect(durationMs(soundsOf(heard).at(-1) ?? expect.fail())).toBeLessThan(1_300);
  });

  test.each([
    ['silence', quiet(5_000)],
    ['a fan', fan(5_000, 0.2)],
    ['a switch', Buffer.concat([quiet(500), fan(10, 0.9), quiet(500), fan(10, 0.9), quiet(500)])],
  ])('hears nothing in %s', async (_, sound) => {
    expect(await hear(listener(), sound)).toEqual([]);
  });

  test('hears a request through a fan', async () => {
    const spoken = spokenClip('weather');
    const noisy = Buffer.from(spoken);
    const noise = fan(spoken.length / 32 + 1);
    for (let at = 0; at < noisy.length; at += 2) {
      noisy.writeInt16LE(
        Math.max(-32_768, Math.min(32_767, noisy.readInt16LE(at) + noise.readInt16LE(at))),
        at,
      );
    }

    const heard = await hear(listener(), fan(10_000), noisy, fan(1_000));

    expect(types(spans(heard))).toEqual(['started', 'ended']);
  });

  test('hears the same however the bytes arrive, also in odd numbers', async () => {
    const sound = Buffer.concat([quiet(500), spokenClip('stop-stop'), quiet(1_000)]);
    const odd = listener();
    const pieces = Array.from({ length: Math.ceil(sound.length / 333) }, (_, index) =>
      odd.push(sound.subarray(index * 333, (index + 1) * 333)),
    );

    expect((await Promise.all(pieces)).flat()).toEqual(await listener().push(sound));
  });

  test('gives what was said so far while somebody speaks', async () => {
    const ears = listener();
    expect(ears.soFar()).toBeNull();

    await hear(ears, quiet(480), spokenClip('weather').subarray(0, 32_000));

    expect(ears.soFar()).toMatchObject({ untilMs: 1_472, lengthMs: 1_216, joined: null });
    await hear(ears, quiet(1_000));
    expect(ears.soFar()).toBeNull();
  });
});

describe('listener, with a certain voice', () => {
  const ears = () => createListener({ vad: vadByLoudness, endSilenceMs: 600 });

  test('gives a command that goes on with what was said before', async () => {
    const listens = ears();
    const first = [...(await listens.push(Buffer.concat([quiet(640), tone(640), quiet(320)])))];
    first.push(...(await listens.expect('whole', 1_600)));
    const second = await listens.push(Buffer.concat([tone(640, 0.8), quiet(640)]));

    expect(types(first)).toEqual(['started', 'paused', 'ended']);
    expect(second[0]).toMatchObject({ type: 'started', continues: true });
    const ended = second.at(-1);
    if (ended?.type !== 'ended') throw new Error('the second did not end');
    // Its own sound begins in the silence between the two; the joined one 300 ms before the first.
    expect(ended.sound.samples.readInt16LE(0)).toBe(0);
    expect(durationMs(ended.sound)).toBeCloseTo(300 + 640 + 160, -2);
    expect(durationMs(ended.joined ?? expect.fail())).toBeCloseTo(300 + 640 + 320 + 640 + 160, -2);
  });

  test('does not join what comes later', async () => {
    const listens = ears();
    await listens.push(Buffer.concat([tone(640), quiet(320)]));
    await listens.expect('whole', 960);
    const second = await listens.push(Buffer.concat([quiet(640), tone(640), quiet(640)]));

    expect(second.at(-1)).toMatchObject({ type: 'ended', joined: null });
  });

  test('does what it was told in order', async () => {
    const listens = ears();
    const pushed = listens.push(tone(640));
    const committed = listens.commit();
    const after = listens.push(tone(640));

    expect(types(await pushed)).toEqual(['started']);
    expect(await committed).toMatchObject({ type: 'ended', atMs: 640, cause: 'commit' });
    expect(types(await after)).toEqual(['started']);
  });

  test('knows when nobody spoke before the button was released', async () => {
    const listens = ears();
    await listens.set({ isManual: true });
    await listens.push(quiet(1_000));

    expect(await listens.commit()).toBeNull();
  });

  test('wants to be surer while the assistant can be heard', async () => {
    let isPlaying = true;
    const listens = createListener({ vad: vadByLoudness, endSilenceMs: 600, isPlaying: () => isPlaying });

    expect(await listens.push(tone(1_000, 0.6))).toEqual([]);
    isPlaying = false;
    expect(types(await listens.push(tone(1_000, 0.6)))).toEqual(['started']);
  });

  test('does not take the loudspeaker beside it for a voice', async () => {
    const reply = spokenClip('weather');
    const beside = createListener({ vad, endSilenceMs: 600, isPlaying: () => true });
    await beside.push(quiet(1_000));
    beside.played(reply);

    // The satellite plays it 200 ms later, and the microphone stands beside its loudspeaker.
    expect(await hear(beside, quiet(200), reply, quiet(500))).toEqual([]);
    expect(types(await hear(beside, spokenClip('hello')))).toEqual(['started']);
  });

  test('knows the end of a reply that comes back after it is over', async () => {
    const reply = spokenClip('weather');
    let isPlaying = true;
    const beside = createListener({ vad, endSilenceMs: 600, isPlaying: () => isPlaying });
    await beside.push(quiet(1_000));
    beside.played(reply);
    const late = Buffer.concat([quiet(500), reply, quiet(500)]);
    const overAt = reply.length - (reply.length % 640);
    expect(await hear(beside, late.subarray(0, overAt))).toEqual([]);
    isPlaying = false;

    expect(await hear(beside, late.subarray(overAt))).toEqual([]);
  });

  test('ends an utterance at 30 s of sound', async () => {
    const heard = await ears().push(Buffer.concat([quiet(1_024), tone(40_000)]));

    expect(types(heard)).toEqual(['started', 'ended']);
    expect(durationMs(soundsOf(heard)[0] ?? expect.fail())).toBeLessThanOrEqual(30_000);
    expect(durationMs(soundsOf(heard)[0] ?? expect.fail())).toBeGreaterThan(29_900);
  });

  test('tells how far it is behind', async () => {
    const listens = ears();
    const pushed = listens.push(quiet(1_024));

    expect(listens.waitingMs).toBe(1_024);
    await pushed;
    expect(listens.waitingMs).toBe(0);
  });

  test('goes on after a frame that could not be looked at', async () => {
    let isBroken = true;
    const breaks: Vad = {
      open: () => ({
        speech: async () => {
          if (isBroken) throw new Error('no memory');
          return 0.9;
        },
      }),
    };
    const listens = createListener({ vad: breaks, endSilenceMs: 600 });

    await expect(listens.push(quiet(320))).rejects.toThrow('no memory');
    isBroken = false;
    expect(types(await listens.push(quiet(320)))).toEqual(['started']);
    expect(listens.waitingMs).toBe(0);
  });

  test('keeps nothing of silence, however long', async () => {
    const listens = ears();
    await listens.push(quiet(10_000));
    const before = keptBytes();
    for (let second = 0; second < 600; second += 1) await listens.push(quiet(1_000));

    // Ten minutes are 19 MB. Memory that nobody needs is given back a moment later.
    await waitFor(() => keptBytes() - before < 1_000_000, { what: 'sound to be forgotten', withinMs: 3_000 });
  });
});

describe.skipIf(spokenCases.length === 0)('listener, on recordings (needs ../shared/speech)', () => {
  /** A person in a hall, with seconds between his words. */
  const slow = 'jfk.wav';
  const single = spokenCases.filter(({ file, speech }) => speech.length === 1 && file !== slow);
  /** Each is listened to once, at 800 ms. */
  const known = new Map<string, Promise<Heard[]>>();
  const edgesOf = (file: string) => {
    const edges = known.get(file) ?? hear(listener(800), sustained(file)).then(spans);
    known.set(file, edges);
    return edges;
  };
  const sustained = (file: string) => Buffer.concat([spokenCase(file), quiet(1_000)]);

  test.each(spokenCases.filter(({ speech }) => speech.length === 0).map(({ file }) => file))(
    'hears nothing in %s',
    async (file) => {
      expect(await hear(listener(), sustained(file))).toEqual([]);
    },
  );

  test.each(single)('finds where "$text" starts and ends ($file)', async ({ file, speech }: SpokenCase) => {
    const [fromMs = 0, untilMs = 0] = speech[0]?.map((s) => s * 1_000) ?? [];

    const edges = await edgesOf(file);

    expect(types(edges)).toEqual(['started', 'ended']);
    const [started, ended] = edges;
    // The s of "stop" is long, and no voice.
    const mostMs = file === 'stop.wav' ? 350 : 200;
    expect(started?.atMs).toBeGreaterThan(fromMs);
    expect(started?.atMs).toBeLessThan(fromMs + mostMs);
    expect(Math.abs((ended?.atMs ?? 0) - untilMs - 800)).toBeLessThan(130);
  });

  test.each(['pause-300ms.wav', 'pause-600ms.wav', 'joe-breath.wav', 'joe-long.wav'])(
    'keeps %s together at 800 ms',
    async (file) => {
      expect(types(spans(await hear(listener(800), sustained(file))))).toEqual(['started', 'ended']);
    },
  );

  test('keeps a breath together and two requests apart as delivered', async () => {
    expect(types(spans(await hear(listener(), sustained('joe-breath.wav'))))).toEqual(['started', 'ended']);
    expect(types(spans(await hear(listener(), sustained('two-requests.wav'))))).toEqual([
      ...['started', 'ended'],
      ...['started', 'ended'],
    ]);
  });

  test('loses no word of a person who speaks slowly', async () => {
    const heard = spans(await hear(listener(1_500), spokenCase(slow), quiet(2_000)));

    expect(types(heard)).toEqual(['started', 'ended']);
  });

  test('hears half of all requests end within 20 ms of the setting', async () => {
    const late: number[] = [];
    for (const { file, speech } of single) {
      const ended = (await edgesOf(file)).at(-1);
      late.push((ended?.atMs ?? 0) - (speech[0]?.[1] ?? 0) * 1_000 - 800);
    }

    const median = late.toSorted((a, b) => a - b)[Math.floor(late.length / 2)] ?? expect.fail();
    expect(Math.abs(median)).toBeLessThan(20);
  });
});
