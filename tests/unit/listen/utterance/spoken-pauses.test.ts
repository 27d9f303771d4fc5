import { describe, expect, test } from 'vitest';
import {
  createSpokenPauses,
  habitOf,
  type SpokenPauses,
} from '../../../../api/src/listen/utterance/spoken-pauses.ts';
import { ended, paused, resumed, started } from '../../../support/audio/edges.ts';

const sounds = { sound: { sampleRateHz: 16_000, samples: Buffer.alloc(0) }, joined: null };
type Heard = Parameters<ReturnType<typeof createSpokenPauses>['onEdge']>[0];
type Spoken = ReturnType<typeof started | typeof paused | typeof resumed | typeof ended>;

/** A sentence of two parts with a pause of 400 ms between them. */
const halting = (fromMs: number) => [
  started(fromMs + 80, fromMs),
  paused(fromMs + 1_300, fromMs + 1_200),
  resumed(fromMs + 1_700, fromMs + 1_600),
  paused(fromMs + 2_500, fromMs + 2_400),
  ended(fromMs + 3_000, fromMs + 2_400),
];
const goesOn = (fromMs: number) => ({ ...started(fromMs + 80, fromMs), continues: true });

/** The pauses learned from these edges. */
function learn(edges: readonly Spoken[], { audibleForMs = 0, isCalled = false } = {}): SpokenPauses[] {
  const learned: SpokenPauses[] = [];
  const pauses = createSpokenPauses({
    audibleForMs: () => audibleForMs,
    isCalled: () => isCalled,
    onLearned: (all) => learned.push(all),
  });
  for (const edge of edges) pauses.onEdge({ ...edge, ...sounds } as Heard);
  return learned;
}

describe('the pauses inside sentences', () => {
  test('are learned, the longest of each sentence', () => {
    expect(learn([...halting(0), ...halting(9_000)])).toEqual([[400], [400, 400]]);
  });

  test('are zero for a person who speaks without pauses', () => {
    expect(learn([started(80, 0), paused(1_300, 1_200), ended(1_800, 1_200)])).toEqual([[0]]);
  });

  test('include an end that came too early', () => {
    const edges = [started(80, 0), paused(1_300, 1_200), ended(1_500, 1_200, 'early')];
    const more = [goesOn(1_750), paused(2_600, 2_500), ended(3_100, 2_500)];

    expect(learn([...edges, ...more])).toEqual([[0], [550]]);
  });

  test.each([
    { what: 'while nothing was answered are', audibleForMs: 0, learned: [[0], [900]] },
    { what: 'into an answer that has hardly begun are', audibleForMs: 300, learned: [[0], [900]] },
    { what: 'into an answer are not', audibleForMs: 900, learned: [[0], [0, 0]] },
  ])('include speech that continued after its end: words $what counted', ({ audibleForMs, learned }) => {
    const edges = [started(80, 0), paused(1_300, 1_200), ended(1_800, 1_200)];
    const more = [started(2_180, 2_100), paused(3_600, 3_500), ended(4_100, 3_500)];

    expect(learn([...edges, ...more], { audibleForMs })).toEqual(learned);
  });

  test('do not include an answer between, however soon the person speaks again', () => {
    const learned: SpokenPauses[] = [];
    const pauses = createSpokenPauses({
      audibleForMs: () => 0,
      isCalled: () => false,
      onLearned: (all) => learned.push(all),
    });
    const hear = (edges: readonly Spoken[]) => {
      for (const edge of edges) pauses.onEdge({ ...edge, ...sounds } as Heard);
    };

    hear([started(80, 0), paused(1_300, 1_200), ended(1_500, 1_200)]);
    pauses.answered();
    hear([started(2_180, 2_100), paused(3_600, 3_500), ended(4_100, 3_500)]);

    expect(learned).toEqual([[0], [0, 0]]);
  });

  test.each([
    { what: 'a word or two', edges: [started(80, 0), paused(700, 600), ended(1_200, 600)] },
    { what: 'what was forgotten', edges: [started(80, 0), ended(2_000, 2_000, 'cleared')] },
    { what: 'a button', edges: [started(80, 0), paused(1_800, 1_700), ended(3_000, 1_700, 'commit')] },
  ])('are not learned from $what', ({ edges }) => {
    expect(learn(edges)).toEqual([]);
  });

  /** "Okay Nabu", a pause of 500 ms, and a sentence of two parts with a pause of 400 ms. */
  const called = [started(80, 0), paused(800, 700), resumed(1_280, 1_200), ...halting(1_200).slice(1)];

  test.each([
    { what: 'is not counted in a room that answers only when called', isCalled: true, longestMs: 400 },
    { what: 'is counted in a room that answers everything', isCalled: false, longestMs: 500 },
  ])('the wait behind a wake word $what', ({ isCalled, longestMs }) => {
    expect(learn(called, { isCalled })).toEqual([[longestMs]]);
  });

  test('the wait after a wake word that counted as a separate utterance is ignored', () => {
    const alone = [started(80, 0), paused(800, 700), ended(1_300, 700)];

    expect(learn([...alone, ...halting(1_800)], { isCalled: true })).toEqual([[400]]);
  });

  test('come from the last twenty sentences', () => {
    const edges = Array.from({ length: 25 }, (_, at) => halting(at * 9_000)).flat();

    expect(learn(edges).at(-1)).toHaveLength(20);
  });
});

describe('the speaking habit', () => {
  test.each([
    { who: 'nobody', pauses: [], habit: null },
    { who: 'somebody heard once', pauses: [500], habit: null },
    { who: 'somebody who paused twice', pauses: [500, 520], habit: { pauseMs: 520, isKnown: false } },
    {
      who: 'somebody who paused once in ten sentences',
      pauses: [0, 0, 0, 0, 900, 0, 0, 0, 0, 0],
      habit: { pauseMs: 0, isKnown: true },
    },
    {
      who: 'somebody who paused three times in twenty',
      pauses: [...Array<number>(17).fill(100), 600, 700, 650],
      habit: { pauseMs: 600, isKnown: true },
    },
  ])('of $who', ({ pauses, habit }) => {
    expect(habitOf(pauses)).toEqual(habit);
  });
});
