import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createEndpointer,
  type Edge,
  type Endpointer,
  type EndpointerOptions,
  type SentenceOutlook,
} from '../../../api/src/audio/endpointer.ts';
import { frameMs, frames, listen, loudspeaker, options, silence, speech } from '../../support/audio/edges.ts';
import { silencesAfter } from '../../support/audio/silences.ts';

/** The edges that may follow each edge. */
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
  .tuple(
    fc.constantFrom<SentenceOutlook>('whole', 'asked', 'unfinished', 'open', 'ordinary'),
    fc.nat({ max: 800 }),
  )
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
  .record({ silences: fc.integer({ min: 0, max: 3_000 }).map(silencesAfter), isManual: fc.boolean() })
  .map((changed): Step => {
    return (endpointer) => {
      endpointer.set(changed);
      return [];
    };
  });
const steps = fc.array(fc.oneof({ weight: 6, arbitrary: voice }, words, hand, settings), { maxLength: 60 });

/** All edges of all steps, and the length of the sound. */
function walkWith(
  chosen: EndpointerOptions,
  all: readonly Step[],
): { edges: Edge[]; nowMs: number; endpointer: Endpointer } {
  let nowMs = 0;
  const endpointer = createEndpointer(chosen);
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

describe.each<[string, EndpointerOptions]>([
  ['for requests', options],
  ['for a transcription', { ...options, goesOnAfterMs: 2_000 }],
])('[the endpointer %s, for any input]', (_, chosen) => {
  const walk = (all: readonly Step[]) => walkWith(chosen, all);

  test('reports edges only in a legal order', () => {
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

  test('reports times in ascending order, within the received sound', () => {
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

  test('never lets two utterances overlap', () => {
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
          if (edge.type === 'ended') expect(edge.atMs - fromMs).toBeLessThanOrEqual(options.maxSpeechMs);
        }
      }),
    );
  });

  test('is ready for the next utterance after the longest possible silence', () => {
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
