import { describe, expect, test } from 'vitest';
import { createEndpointer } from '../../../api/src/audio/endpointer.ts';
import {
  ended,
  frames,
  listen,
  loudspeaker,
  options,
  paused,
  resumed,
  silence,
  speech,
  started,
  unsure,
} from '../../support/audio/edges.ts';

describe('the endpointer', () => {
  test('finds the start, the pauses and the end of an utterance', () => {
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

  test('does not end while speech may have started again', () => {
    const edges = listen(createEndpointer(options), speech(200), silence(580), speech(100));

    expect(edges).toEqual([started(80, 0), paused(400, 200), resumed(860, 780)]);
  });

  test('ends slightly late after a mere click', () => {
    const edges = listen(createEndpointer(options), speech(200), silence(580), speech(40), silence(20));

    expect(edges).toEqual([started(80, 0), paused(400, 200), ended(840, 200)]);
  });

  test('neither ends while speech fades nor starts on rustling', () => {
    const edges = listen(createEndpointer(options), unsure(500), speech(200), unsure(500), silence(200));

    expect(edges).toEqual([started(580, 500), paused(1_400, 1_200)]);
  });

  test('requires a higher score during playback', () => {
    const endpointer = createEndpointer(options);
    const play = (probability: number) =>
      frames(100, probability).flatMap((each) => endpointer.push(each, loudspeaker));

    expect(play(0.6)).toEqual([]);
    expect(play(0.8)).toEqual([started(180, 100)]);
  });

  test('stays closed for its own playback, and opens for other sound', () => {
    const endpointer = createEndpointer(options);
    const play = (ms: number, isEcho: boolean) =>
      speech(ms).flatMap((each) => endpointer.push(each, { isEcho: () => isEcho }));

    expect(play(2_000, true)).toEqual([]);
    expect(play(100, false)).toEqual([started(2_020, 1_940)]);
    expect(play(500, true)).toEqual([]);
    expect(listen(endpointer, silence(200))).toEqual([paused(2_800, 2_600)]);
  });

  test('counts silence from the end of the voice, not from the trailing frames', () => {
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

  test('cuts an utterance that is too long, and its rest too', () => {
    const endpointer = createEndpointer(options);

    expect(listen(endpointer, speech(12_000))).toEqual([started(80, 0), ended(10_000, 10_000, 'too_long')]);
    expect(listen(endpointer, silence(600), speech(80))).toEqual([started(12_680, 12_600)]);
  });

  test('loses no sound of a long dictation, and cuts it at a pause', () => {
    const endpointer = createEndpointer({ ...options, goesOnAfterMs: 5_000 });

    const edges = listen(
      endpointer,
      speech(4_000),
      silence(200),
      speech(3_000),
      silence(200),
      speech(12_000),
    );

    expect(edges).toEqual([
      ...[started(80, 0), paused(4_200, 4_000), resumed(4_280, 4_200)],
      ...[paused(7_400, 7_200), ended(7_400, 7_200, 'too_long')],
      // Without a pause, the endpointer cuts it in the middle.
      ...[started(7_480, 7_400), ended(17_400, 17_400, 'too_long'), started(17_480, 17_400)],
    ]);
  });

  test('cuts a long dictation even if only a button ends it', () => {
    const endpointer = createEndpointer({ ...options, goesOnAfterMs: 5_000 });
    endpointer.set({ isManual: true });

    const edges = listen(endpointer, speech(4_000), silence(2_000), speech(3_000), silence(2_000));

    expect(edges.filter(({ type }) => type === 'ended')).toEqual([ended(9_200, 9_000, 'too_long')]);
  });

  test('applies a new silence setting at once', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(200));
    endpointer.set({ silences: { ...options.silences, ordinary: 800 } });

    expect(listen(endpointer, silence(780))).toEqual([paused(400, 200)]);
    expect(listen(endpointer, silence(20))).toEqual([ended(1_000, 200)]);
  });
});
