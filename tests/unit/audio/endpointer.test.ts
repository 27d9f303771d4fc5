import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEndpointer, type Edge, type Endpointer } from '../../../api/src/audio/endpointer.ts';

const frameMs = 20;
const options = {
  frameMs,
  trailMs: 0,
  minSpeechMs: 80,
  tentativeEndMs: 200,
  endSilenceMs: 600,
  unfinishedSilenceMs: 1_500,
  mostSpeechMs: 10_000,
};

const frames = (ms: number, probability: number) => Array<number>(ms / frameMs).fill(probability);
const speech = (ms: number) => frames(ms, 0.9);
const silence = (ms: number) => frames(ms, 0.05);
const unsure = (ms: number) => frames(ms, 0.4);

const loudspeaker = { isEcho: () => false };

function listen(endpointer: Endpointer, ...parts: number[][]): Edge[] {
  return parts.flat().flatMap((probability) => endpointer.push(probability));
}

const started = (atMs: number, fromMs: number) => ({ type: 'started', atMs, fromMs, continues: false });
const paused = (atMs: number, untilMs: number) => ({ type: 'paused', atMs, untilMs });
const resumed = (atMs: number, fromMs: number) => ({ type: 'resumed', atMs, fromMs });
const ended = (atMs: number, untilMs: number, cause = 'silence') => ({
  type: 'ended',
  atMs,
  untilMs,
  cause,
});

describe('endpointer', () => {
  test('finds where an utterance starts, pauses and ends', () => {
    const edges = listen(createEndpointer(options), silence(100), speech(400), silence(1_000));

    expect(edges).toEqual([started(180, 100), paused(700, 500), ended(1_100, 500)]);
  });

  test('takes bursts for noise', () => {
    const clicks = [speech(60), silence(40), speech(60), silence(20)];

    expect(listen(createEndpointer(options), ...clicks, ...clicks)).toEqual([]);
  });

  test('keeps a sentence with a pause for breath together', () => {
    const edges = listen(createEndpointer(options), speech(400), silence(500), speech(300), silence(600));

    expect(edges).toEqual([
      started(80, 0),
      paused(600, 400),
      resumed(980, 900),
      paused(1_400, 1_200),
      ended(1_800, 1_200),
    ]);
  });

  test('does not end while speech may just have begun again', () => {
    const edges = listen(createEndpointer(options), speech(200), silence(580), speech(100));

    expect(edges).toEqual([started(80, 0), paused(400, 200), resumed(860, 780)]);
  });

  test('ends a moment late when it was only a click', () => {
    const edges = listen(createEndpointer(options), speech(200), silence(580), speech(40), silence(20));

    expect(edges).toEqual([started(80, 0), paused(400, 200), ended(840, 200)]);
  });

  test('hears speech fade without ending it, and silence rustle without starting it', () => {
    const edges = listen(createEndpointer(options), unsure(500), speech(200), unsure(500), silence(200));

    expect(edges).toEqual([started(580, 500), paused(1_400, 1_200)]);
  });

  test('wants to be surer while something is played', () => {
    const endpointer = createEndpointer(options);
    const play = (probability: number) =>
      frames(100, probability).flatMap((each) => endpointer.push(each, loudspeaker));

    expect(play(0.6)).toEqual([]);
    expect(play(0.8)).toEqual([started(180, 100)]);
  });

  test('does not open for what is played, and opens once it is something else', () => {
    const endpointer = createEndpointer(options);
    const play = (ms: number, isEcho: boolean) =>
      speech(ms).flatMap((each) => endpointer.push(each, { isEcho: () => isEcho }));

    expect(play(2_000, true)).toEqual([]);
    expect(play(100, false)).toEqual([started(2_020, 1_940)]);
    expect(play(500, true)).toEqual([]);
    expect(listen(endpointer, silence(200))).toEqual([paused(2_800, 2_600)]);
  });

  test('counts silence from where the voice ended, not the frames that trail behind it', () => {
    const endpointer = createEndpointer({ ...options, trailMs: 40 });

    expect(listen(endpointer, speech(400), silence(600))).toEqual([
      started(80, 0),
      paused(560, 360),
      ended(960, 360),
    ]);
  });

  test('separates two requests', () => {
    const edges = listen(createEndpointer(options), speech(200), silence(700), speech(200), silence(700));

    expect(edges.map(({ type }) => type)).toEqual([
      ...['started', 'paused', 'ended'],
      ...['started', 'paused', 'ended'],
    ]);
    expect(edges[3]).toEqual(started(980, 900));
  });

  test('cuts off what gets too long, and the rest of it too', () => {
    const endpointer = createEndpointer(options);

    expect(listen(endpointer, speech(12_000))).toEqual([started(80, 0), ended(10_000, 10_000, 'too_long')]);
    expect(listen(endpointer, silence(600), speech(80))).toEqual([started(12_680, 12_600)]);
  });

  test('takes a new silence setting at once', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(200));
    endpointer.set({ endSilenceMs: 800 });

    expect(listen(endpointer, silence(780))).toEqual([paused(400, 200)]);
    expect(listen(endpointer, silence(20))).toEqual([ended(1_000, 200)]);
  });
});

describe('endpointer, told what the words look like', () => {
  test('ends a whole command with the first pause', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400));
    endpointer.expect('whole', 400);

    expect(listen(endpointer, silence(200))).toEqual([paused(600, 400), ended(600, 400, 'whole')]);
  });

  test('ends it as soon as the words are known', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));

    expect(endpointer.expect('whole', 600)).toEqual([ended(700, 400, 'whole')]);
  });

  test('does not count words that were heard before more was said', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400));
    endpointer.expect('whole', 380);

    expect(listen(endpointer, silence(580))).toEqual([paused(600, 400)]);
  });

  test('does not end a command into which somebody speaks', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300), speech(20));

    expect(endpointer.expect('whole', 600)).toEqual([]);
    expect(listen(endpointer, speech(60))).toEqual([resumed(780, 700)]);
  });

  test('says when a command that was ended goes on', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));
    endpointer.expect('whole', 600);

    expect(listen(endpointer, silence(200), speech(80))).toEqual([
      { type: 'started', atMs: 980, fromMs: 900, continues: true },
    ]);
  });

  test('takes what comes after the ordinary silence for something new', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));
    endpointer.expect('whole', 600);

    expect(listen(endpointer, silence(300), speech(80))).toEqual([started(1_080, 1_000)]);
  });

  test('knows nothing of the command before once it was told to forget', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));
    endpointer.expect('whole', 600);

    expect(endpointer.clear()).toBeNull();
    expect(listen(endpointer, speech(80))).toEqual([started(780, 700)]);
  });

  test('holds the limit for a command and what goes on together', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(6_000), silence(200));
    endpointer.expect('whole', 6_200);

    const edges = listen(endpointer, speech(6_000));

    expect(edges.at(-1)).toEqual(ended(10_000, 10_000, 'too_long'));
  });

  test('waits longer for a sentence that plainly goes on', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));
    endpointer.expect('unfinished', 600);

    expect(listen(endpointer, silence(1_180))).toEqual([]);
    expect(listen(endpointer, silence(20))).toEqual([ended(1_900, 400)]);
  });

  test('never waits less than the setting', () => {
    const endpointer = createEndpointer({ ...options, endSilenceMs: 2_000 });
    listen(endpointer, speech(400));
    endpointer.expect('unfinished', 400);

    expect(listen(endpointer, silence(2_000))).toEqual([paused(600, 400), ended(2_400, 400)]);
  });

  test('waits no longer for the next utterance', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400));
    endpointer.expect('unfinished', 400);
    listen(endpointer, silence(1_500));

    expect(listen(endpointer, speech(200), silence(600)).at(-1)).toEqual(ended(2_700, 2_100));
  });
});

describe('endpointer, with a button', () => {
  function held() {
    const endpointer = createEndpointer(options);
    endpointer.set({ isManual: true });
    return endpointer;
  }

  test('ends when the button is released, however long the pauses are', () => {
    const endpointer = held();
    const edges = listen(endpointer, speech(400), silence(3_000), speech(200));

    expect(edges).toEqual([started(80, 0), paused(600, 400), resumed(3_480, 3_400)]);
    expect(endpointer.commit()).toEqual(ended(3_600, 3_600, 'commit'));
  });

  test('does not end by itself when the words are a whole command', () => {
    const endpointer = held();
    listen(endpointer, speech(400), silence(300));

    expect(endpointer.expect('whole', 700)).toEqual([]);
  });

  test('knows when nobody spoke', () => {
    const endpointer = held();
    listen(endpointer, silence(500), speech(40));

    expect(endpointer.commit()).toBeNull();
    expect(listen(endpointer, speech(40))).toEqual([]);
  });

  test('forgets what was said when told so', () => {
    const endpointer = held();
    listen(endpointer, speech(400));

    expect(endpointer.clear()).toEqual(ended(400, 400, 'cleared'));
    expect(endpointer.commit()).toBeNull();
  });

  test('leaves the button in the middle of a pause', () => {
    const endpointer = held();
    listen(endpointer, speech(400), silence(2_000));
    endpointer.set({ isManual: false });

    expect(listen(endpointer, silence(20))).toEqual([ended(2_420, 400)]);
  });
});

/** What may follow what. */
const legal: Record<string, readonly string[]> = {
  ended: ['started'],
  started: ['paused', 'ended'],
  paused: ['resumed', 'ended'],
  resumed: ['paused', 'ended'],
};

type Step = (endpointer: Endpointer, nowMs: number) => Edge[];

const voice = fc
  .tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat({ max: 60 }), fc.boolean())
  .map(([probability, count, isPlaying]): Step => {
    return (endpointer) =>
      frames(count * frameMs, probability).flatMap((each) =>
        endpointer.push(each, isPlaying ? loudspeaker : null),
      );
  });
const words = fc
  .tuple(fc.constantFrom('whole' as const, 'unfinished' as const, 'ordinary' as const), fc.nat({ max: 800 }))
  .map(
    ([outlook, agoMs]): Step =>
      (endpointer, nowMs) =>
        endpointer.expect(outlook, nowMs - agoMs),
  );
const hand = fc.constantFrom<Step>(
  (endpointer) => [endpointer.commit() ?? []].flat(),
  (endpointer) => [endpointer.clear() ?? []].flat(),
);
const settings = fc
  .record({ endSilenceMs: fc.integer({ min: 0, max: 3_000 }), isManual: fc.boolean() })
  .map((changed): Step => {
    return (endpointer) => {
      endpointer.set(changed);
      return [];
    };
  });
const steps = fc.array(fc.oneof({ weight: 6, arbitrary: voice }, words, hand, settings), { maxLength: 60 });

/** All edges of all steps, and how much sound there was. */
function walk(all: readonly Step[]): { edges: Edge[]; nowMs: number; endpointer: Endpointer } {
  let nowMs = 0;
  const endpointer = createEndpointer(options);
  const counted: Endpointer = {
    ...endpointer,
    push: (...frame) => {
      nowMs += frameMs;
      return endpointer.push(...frame);
    },
  };
  const edges = all.flatMap((step) => step(counted, nowMs));
  return { edges, nowMs, endpointer };
}

describe('endpointer, whatever it hears', () => {
  test('tells edges in a legal order only', () => {
    fc.assert(
      fc.property(steps, (all) => {
        let last = 'ended';
        for (const { type } of walk(all).edges) {
          expect(legal[last]).toContain(type);
          last = type;
        }
      }),
    );
  });

  test('tells times that go forward and were heard', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { edges, nowMs } = walk(all);
        const told = edges.map(({ atMs }) => atMs);

        expect(told).toEqual(told.toSorted((a, b) => a - b));
        expect(Math.max(0, ...told)).toBeLessThanOrEqual(nowMs);
        for (const edge of edges) {
          const momentMs = 'fromMs' in edge ? edge.fromMs : edge.untilMs;
          expect(momentMs).toBeGreaterThanOrEqual(0);
          expect(momentMs).toBeLessThanOrEqual(edge.atMs);
        }
      }),
    );
  });

  test('gives no two utterances the same moment', () => {
    fc.assert(
      fc.property(steps, (all) => {
        let untilMs = 0;
        for (const edge of walk(all).edges) {
          if (edge.type === 'started') expect(edge.fromMs).toBeGreaterThanOrEqual(untilMs);
          if (edge.type === 'ended') untilMs = edge.untilMs;
        }
      }),
    );
  });

  test('ends every utterance within its limit', () => {
    fc.assert(
      fc.property(steps, (all) => {
        let fromMs = 0;
        for (const edge of walk(all).edges) {
          if (edge.type === 'started') fromMs = edge.fromMs;
          if (edge.type === 'ended') expect(edge.atMs - fromMs).toBeLessThanOrEqual(options.mostSpeechMs);
        }
      }),
    );
  });

  test('is ready for the next utterance after the longest silence it may wait for', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { endpointer } = walk(all);
        endpointer.set({ isManual: false });
        listen(endpointer, silence(3_000));

        expect(listen(endpointer, speech(80)).map(({ type }) => type)).toEqual(['started']);
      }),
    );
  });
});
