import { beforeEach, describe, expect, test } from 'vitest';
import type { SentenceOutlook } from '../../../api/src/audio/endpointer.ts';
import { createListener } from '../../../api/src/audio/listener.ts';
import { durationMs, type Pcm } from '../../../api/src/audio/pcm.ts';
import { loadVad } from '../../../api/src/audio/vad.ts';
import { AppError } from '../../../api/src/errors.ts';
import { anyWords, createTranscriptionSession } from '../../../api/src/listen/transcription-session.ts';
import { quiet, spokenClip } from '../../support/audio/spoken-clips.ts';

const vad = await loadVad();
const gap = quiet(150);
/** Speech without a silence that ends it. */
const speechOf = (ms: number): Buffer => {
  const sentence = Buffer.concat([spokenClip('weather'), gap]);
  return Buffer.concat(Array.from({ length: Math.ceil(ms / (sentence.length / 32)) }, () => sentence));
};

type Write = (sound: Pcm, nth: number, signal: AbortSignal) => Promise<string>;

/** A session, its events, and the sound that it should transcribe. */
function open({
  write = async (_, nth) => `Words ${nth}.`,
  speculates = false,
  outlook,
}: {
  write?: Write;
  speculates?: boolean;
  /** Of every transcript. By default the words do not matter. */
  outlook?: SentenceOutlook;
} = {}) {
  const told: [what: string, ...rest: unknown[]][] = [];
  const sounds: Pcm[] = [];
  const ids = [1, 2, 3].values();
  const session = createTranscriptionSession({
    listener: createListener({
      vad,
      silences: { ...anyWords(500), whole: 250, open: 900 },
      goesOnAfterMs: 5_000,
    }),
    newId: () => `part ${ids.next().value}`,
    tell: {
      started: (id) => told.push(['started', id]),
      stopped: (id) => told.push(['stopped', id]),
      committed: (id) => told.push(['committed', id]),
      words: (id, text) => told.push(['words', id, text]),
      written: (id, text) => told.push(['written', id, text]),
      failed: (id, { code }) => told.push(['failed', id, code]),
    },
    options: () => ({ times: false, words: false }),
    write: async (sound, _, signal) => {
      sounds.push(sound);
      return { text: await write(sound, sounds.length, signal), isSure: true };
    },
    speculates: () => speculates,
    ...(outlook && {
      outlookOf: ({ text, isSure }: { text: string; isSure: boolean }, voicedMs: number) => {
        told.push(['judged', text, isSure, Math.round(voicedMs / 500)]);
        return outlook;
      },
    }),
    onRoom: () => undefined,
    onFault: (error) => told.push(['fault', error]),
  });
  const settled = async () => {
    await expect.poll(() => session.isBusy()).toBe(false);
    return told;
  };
  return { session, told, sounds, settled };
}

const unexpected = (error: AppError) => expect.fail(error.message);

/** As a program sends it. */
async function hear(session: ReturnType<typeof open>['session'], ...sounds: Buffer[]): Promise<void> {
  const sound = Buffer.concat(sounds);
  for (let at = 0; at < sound.length; at += 32_000) await session.pushAudio(sound.subarray(at, at + 32_000));
}

test('transcribes each sentence in the spoken order', async () => {
  const first = Promise.withResolvers<string>();
  const { session, told, settled } = open({
    write: (_, nth) => (nth === 1 ? first.promise : Promise.resolve('Second.')),
  });

  await hear(session, spokenClip('weather'), quiet(1_500), spokenClip('hello'), quiet(1_500));
  const before = [...told];
  first.resolve('First.');

  expect(before).toEqual([
    ...[
      ['started', 'part 1'],
      ['stopped', 'part 1'],
      ['committed', 'part 1'],
    ],
    ...[
      ['started', 'part 2'],
      ['stopped', 'part 2'],
      ['committed', 'part 2'],
    ],
  ]);
  expect((await settled()).slice(6)).toEqual([
    ['words', 'part 1', 'First.'],
    ['written', 'part 1', 'First.'],
    ['words', 'part 2', 'Second.'],
    ['written', 'part 2', 'Second.'],
  ]);
});

test('loses no sound of a long speech', async () => {
  const { session, sounds, settled } = open();
  const speech = speechOf(60_000);

  await hear(session, speech, quiet(1_500));
  await settled();

  const heardMs = sounds.reduce((sum, sound) => sum + durationMs(sound), 0);
  expect(Math.abs(heardMs - speech.length / 32)).toBeLessThan(0.03 * 60_000);
  expect(sounds.length).toBeGreaterThan(4);
  expect(Math.max(...sounds.map(durationMs))).toBeLessThanOrEqual(30_000);
});

test('transcribes a long part as one while it continues if only the program ends it', async () => {
  const { session, sounds, settled } = open();
  session.set({ endSilenceMs: 500, isManual: true });

  await hear(session, speechOf(20_000), quiet(3_000), spokenClip('hello'));
  await expect.poll(() => sounds.length).toBeGreaterThan(2);
  const early = sounds.length;
  await session.commit(unexpected);

  const told = await settled();
  const all = sounds.map((_, at) => `Words ${at + 1}.`);
  expect(early).toBe(sounds.length - 1);
  expect(told[0]).toEqual(['committed', 'part 1']);
  const words = told.filter(([what]) => what === 'words').map(([, , text]) => text);
  expect(words.join('')).toBe(all.join(' '));
  expect(told.at(-1)).toEqual(['written', 'part 1', all.join(' ')]);
});

test('refuses to end a part without speech', async () => {
  const { session, told } = open();
  session.set({ endSilenceMs: 500, isManual: true });
  await hear(session, quiet(2_000));

  const refused = await new Promise<AppError>((resolve) => void session.commit(resolve));

  expect(refused.code).toBe('no_audio');
  expect(told).toEqual([]);
});

test('drops its sound on request', async () => {
  const { session, settled } = open();
  session.set({ endSilenceMs: 500, isManual: true });
  await hear(session, speechOf(12_000));
  await session.clear();
  await hear(session, spokenClip('hello'), quiet(300));
  await session.commit(unexpected);

  expect((await settled()).filter(([what]) => what === 'written')).toHaveLength(1);
});

test('reports a part that it cannot transcribe, and transcribes the next one', async () => {
  const { session, settled } = open({
    write: async (_, nth) => {
      if (nth === 1) throw new AppError('stt_unavailable');
      return 'Second.';
    },
  });

  await hear(session, spokenClip('weather'), quiet(1_500), spokenClip('hello'), quiet(1_500));

  expect((await settled()).filter(([what]) => what === 'failed' || what === 'written')).toEqual([
    ['failed', 'part 1', 'stt_unavailable'],
    ['written', 'part 2', 'Second.'],
  ]);
});

test('slows down a program that sends too fast', async () => {
  const slow = Promise.withResolvers<string>();
  const { session, settled } = open({ write: () => slow.promise });

  await hear(session, speechOf(50_000));
  const soon = session.waitingMs();
  await hear(session, speechOf(40_000));
  const late = session.waitingMs();
  slow.resolve('Words.');
  await hear(session, quiet(1_500));
  await settled();

  expect(soon).toBe(0);
  expect(late).toBeGreaterThan(20_000);
  expect(session.waitingMs()).toBe(0);
});

test('stops transcribing when the program has gone', async () => {
  const { session, told } = open({
    write: (_, __, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  });
  await hear(session, spokenClip('weather'), quiet(1_500));
  const before = [...told];

  session.close();
  await hear(session, spokenClip('weather'), quiet(1_500));
  await expect.poll(() => session.isBusy()).toBe(false);

  expect(told).toEqual(before);
});

describe('a session that speculates', () => {
  const signals: AbortSignal[] = [];
  const write: Write = async (_, nth, signal) => {
    signals.push(signal);
    return `Words ${nth}.`;
  };
  beforeEach(() => {
    signals.length = 0;
  });

  test('transcribes in the pause that ends a part, and only once', async () => {
    const { session, told, sounds, settled } = open({ write, speculates: true });

    await hear(session, spokenClip('weather'), quiet(200));
    const begun = sounds.length;
    const before = [...told];
    await hear(session, quiet(1_500));

    expect(before).toEqual([['started', 'part 1']]);
    expect(begun).toBeGreaterThan(0);
    expect((await settled()).at(-1)).toEqual(['written', 'part 1', `Words ${begun}.`]);
    expect(sounds).toHaveLength(begun);
    expect(signals.map(({ aborted }) => aborted)).toEqual(sounds.map((_, at) => at < begun - 1));
  });

  test('cancels the transcript of a pause after which speech continues', async () => {
    const { session, sounds, settled } = open({ write, speculates: true });

    await hear(session, spokenClip('weather'), quiet(250));
    const early = sounds.length;
    await hear(session, spokenClip('hello'), quiet(1_500));
    await settled();

    expect(signals[early - 1]?.aborted).toBe(true);
    expect(durationMs(sounds.at(-1) ?? { sampleRateHz: 1, samples: Buffer.alloc(0) })).toBeGreaterThan(
      (spokenClip('weather').length + spokenClip('hello').length) / 32 - 500,
    );
    expect(signals.at(-1)?.aborted).toBe(false);
  });

  test('transcribes at the end if the early transcript failed', async () => {
    let isEnding = false;
    const { session, settled } = open({
      speculates: true,
      write: async () => {
        if (!isEnding) throw new AppError('stt_unavailable');
        return 'Words.';
      },
    });

    await hear(session, spokenClip('weather'), quiet(200));
    isEnding = true;
    await hear(session, quiet(1_500));

    expect((await settled()).at(-1)).toEqual(['written', 'part 1', 'Words.']);
  });

  test('cancels it when the part is dropped', async () => {
    const { session, told } = open({ write, speculates: true });
    await hear(session, spokenClip('weather'), quiet(200));
    await session.clear();

    expect(signals.every(({ aborted }) => aborted)).toBe(true);
    expect(told).toEqual([['started', 'part 1']]);
  });
});

describe('the words before a pause', () => {
  const ended = (told: readonly unknown[][]) => told.map(([what]) => what).includes('committed');
  const judged = (told: readonly unknown[][]) =>
    expect.poll(() => told.map(([what]) => what)).toContain('judged');

  test('that are a whole command end the part sooner, and are transcribed once', async () => {
    const { session, told, sounds, settled } = open({ speculates: true, outlook: 'whole' });
    await hear(session, spokenClip('weather'), quiet(350));
    await judged(told);

    expect(ended(await settled())).toBe(true);
    expect(told).toContainEqual(['judged', 'Words 1.', true, expect.any(Number)]);
    expect(sounds).toHaveLength(1);
    expect(told).toContainEqual(['written', 'part 1', 'Words 1.']);
  });

  test('that may go on keep the part open for longer', async () => {
    const { session, told } = open({ speculates: true, outlook: 'open' });
    await hear(session, spokenClip('weather'), quiet(150));
    await judged(told);
    await hear(session, quiet(600));
    expect(ended(told)).toBe(false);

    await hear(session, quiet(500));
    expect(ended(told)).toBe(true);
  });

  test('that the speech has gone on after do not count', async () => {
    const late = Promise.withResolvers<string>();
    const never = new Promise<string>(() => undefined);
    const write = (_: unknown, nth: number) => (nth === 1 ? late.promise : never);
    const { session, told } = open({ speculates: true, outlook: 'whole', write });
    await hear(session, spokenClip('weather'), quiet(150), spokenClip('hello'));
    late.resolve('Words.');
    await hear(session, quiet(300));

    expect(told.map(([what]) => what)).toEqual(['started']);
  });
});
