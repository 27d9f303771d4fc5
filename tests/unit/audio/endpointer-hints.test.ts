import { describe, expect, test } from 'vitest';
import { createEndpointer } from '../../../api/src/audio/endpointer.ts';
import {
  ended,
  listen,
  options,
  paused,
  resumed,
  silence,
  speech,
  started,
} from '../../support/audio/edges.ts';

describe('the endpointer, with hints about the words', () => {
  test('ends a whole command at the first pause', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400));
    endpointer.expect('whole', 400);

    expect(listen(endpointer, silence(200))).toEqual([paused(600, 400), ended(600, 400, 'early')]);
  });

  test('ends it as soon as the words are known', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));

    expect(endpointer.expect('whole', 600)).toEqual([ended(700, 400, 'early')]);
  });

  test('ignores words that are older than the latest speech', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400));
    endpointer.expect('whole', 380);

    expect(listen(endpointer, silence(580))).toEqual([paused(600, 400)]);
  });

  test('does not end a command while the person speaks on', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300), speech(20));

    expect(endpointer.expect('whole', 600)).toEqual([]);
    expect(listen(endpointer, speech(60))).toEqual([resumed(780, 700)]);
  });

  test('reports when an ended command continues', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));
    endpointer.expect('whole', 600);

    expect(listen(endpointer, silence(200), speech(80))).toEqual([
      { type: 'started', atMs: 980, fromMs: 900, continues: true },
    ]);
  });

  test('takes speech after the ordinary silence for a new utterance', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));
    endpointer.expect('whole', 600);

    expect(listen(endpointer, silence(300), speech(80))).toEqual([started(1_080, 1_000)]);
  });

  test('knows nothing of the previous command after a reset', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));
    endpointer.expect('whole', 600);

    expect(endpointer.clear()).toBeNull();
    expect(listen(endpointer, speech(80))).toEqual([started(780, 700)]);
  });

  test('counts a command and its continuation toward one limit', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(6_000), silence(200));
    endpointer.expect('whole', 6_200);

    const edges = listen(endpointer, speech(6_000));

    expect(edges.at(-1)).toEqual(ended(10_000, 10_000, 'too_long'));
  });

  test('waits longer for a sentence that plainly continues', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(300));
    endpointer.expect('unfinished', 600);

    expect(listen(endpointer, silence(1_180))).toEqual([]);
    expect(listen(endpointer, silence(20))).toEqual([ended(1_900, 400)]);
  });

  test('ends a whole question soon', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400), silence(200));
    endpointer.expect('asked', 600);

    expect(listen(endpointer, silence(80))).toEqual([]);
    expect(listen(endpointer, silence(20))).toEqual([ended(700, 400, 'early')]);
  });

  test('applies the longer wait to one utterance only', () => {
    const endpointer = createEndpointer(options);
    listen(endpointer, speech(400));
    endpointer.expect('unfinished', 400);
    listen(endpointer, silence(1_500));

    expect(listen(endpointer, speech(200), silence(600)).at(-1)).toEqual(ended(2_700, 2_100));
  });
});

describe('the endpointer, with a button', () => {
  function held() {
    const endpointer = createEndpointer(options);
    endpointer.set({ isManual: true });
    return endpointer;
  }

  test('ends at the release of the button, after pauses of any length', () => {
    const endpointer = held();
    const edges = listen(endpointer, speech(400), silence(3_000), speech(200));

    expect(edges).toEqual([started(80, 0), paused(600, 400), resumed(3_480, 3_400)]);
    expect(endpointer.commit()).toEqual(ended(3_600, 3_600, 'commit'));
  });

  test('does not end early when the words are a whole command', () => {
    const endpointer = held();
    listen(endpointer, speech(400), silence(300));

    expect(endpointer.expect('whole', 700)).toEqual([]);
  });

  test('reports a button press without speech', () => {
    const endpointer = held();
    listen(endpointer, silence(500), speech(40));

    expect(endpointer.commit()).toBeNull();
    expect(listen(endpointer, speech(40))).toEqual([]);
  });

  test('forgets the speech on request', () => {
    const endpointer = held();
    listen(endpointer, speech(400));

    expect(endpointer.clear()).toEqual(ended(400, 400, 'cleared'));
    expect(endpointer.commit()).toBeNull();
  });

  test('switches the button off in the middle of a pause', () => {
    const endpointer = held();
    listen(endpointer, speech(400), silence(2_000));
    endpointer.set({ isManual: false });

    expect(listen(endpointer, silence(20))).toEqual([ended(2_420, 400)]);
  });
});
