import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPlayout, type Played } from '../../../console/src/sound/playout.ts';

const quantum = 128;

/** A loudspeaker of 16 kHz, so that one input sample is one output sample. */
function loudspeaker({ toHz = 16_000 } = {}) {
  const news: Played[] = [];
  const playout = createPlayout({ toHz, onPlayed: (played) => news.push(played) });
  const played: number[] = [];
  const listen = (ms: number) => {
    for (let at = 0; at < (ms * toHz) / 1_000; at += quantum) {
      const out = new Float32Array(quantum);
      playout.render(out);
      played.push(...out);
    }
  };
  return { ...playout, news, played, listen, over: () => news.filter(({ isOver }) => isOver) };
}

const sound = (ms: number) => new Int16Array(16 * ms).fill(10_000);
const loud = (samples: readonly number[]) => samples.filter((sample) => Math.abs(sample) > 0.01).length;

describe('the playout', () => {
  test('begins when its buffer can bridge a gap', () => {
    const speaker = loudspeaker();

    speaker.play('a', sound(60));
    speaker.listen(40);
    const before = loud(speaker.played);
    speaker.play('a', sound(60));
    speaker.listen(40);

    expect(before).toBe(0);
    expect(loud(speaker.played)).toBeGreaterThan(600);
  });

  test('plays a short answer as soon as all of it has arrived', () => {
    const speaker = loudspeaker();

    speaker.play('a', sound(30));
    speaker.end('a');
    speaker.listen(100);

    expect(loud(speaker.played)).toBe(480);
    expect(speaker.over()).toEqual([{ turnId: 'a', playedMs: 30, isOver: true, gaps: 0 }]);
  });

  test('is silent within 8 ms of a stop, and reports the played time', () => {
    const speaker = loudspeaker();
    speaker.play('a', sound(1_000));
    speaker.listen(200);
    const before = speaker.played.length;

    speaker.stop('a');
    speaker.listen(100);

    expect(loud(speaker.played.slice(before + quantum))).toBe(0);
    expect(speaker.over()).toEqual([
      { turnId: 'a', playedMs: expect.closeTo(208, -1), isOver: true, gaps: 0 },
    ]);
  });

  test('ends without a click', () => {
    const speaker = loudspeaker();
    speaker.play('a', sound(1_000));
    speaker.listen(200);

    speaker.stop();
    speaker.listen(8);

    const steps = speaker.played.slice(1).map((sample, at) => Math.abs(sample - (speaker.played[at] ?? 0)));
    expect(Math.max(...steps.slice(2_000))).toBeLessThan(0.01);
  });

  test('counts a gap when sound comes too late, and refills before it continues', () => {
    const speaker = loudspeaker();
    speaker.play('a', sound(100));
    speaker.listen(200);

    speaker.play('a', sound(100));
    speaker.end('a');
    speaker.listen(200);

    expect(speaker.over()).toEqual([{ turnId: 'a', playedMs: 200, isOver: true, gaps: 1 }]);
  });

  test('counts unplayed sound as not heard', () => {
    const speaker = loudspeaker();
    speaker.play('a', sound(20));

    speaker.stop('a');

    expect(speaker.over()).toEqual([{ turnId: 'a', playedMs: 0, isOver: true, gaps: 0 }]);
  });

  test('plays one answer after another, never both at once', () => {
    const speaker = loudspeaker();
    speaker.play('a', sound(100));
    speaker.play('b', sound(100));
    speaker.end('b');
    speaker.listen(150);
    const beforeEnd = speaker.over().length;
    speaker.end('a');
    speaker.listen(300);

    expect(beforeEnd).toBe(0);
    expect(speaker.over().map(({ turnId }) => turnId)).toEqual(['a', 'b']);
    expect(Math.max(...speaker.played)).toBeLessThan(0.4);
  });

  test('buffers at most four seconds', () => {
    const speaker = loudspeaker();

    for (let seconds = 0; seconds < 60; seconds += 1) speaker.play('a', sound(1_000));
    speaker.end('a');
    speaker.listen(10_000);

    expect(speaker.over()[0]?.playedMs).toBeLessThanOrEqual(5_100);
  });

  test('reports the end of every answer exactly once, and never beyond the received sound', () => {
    const turn = fc.constantFrom('a', 'b');
    const step = fc.oneof(
      fc.record({ do: fc.constant('play' as const), turn, ms: fc.integer({ min: 1, max: 300 }) }),
      fc.record({ do: fc.constantFrom('end' as const, 'stop' as const), turn }),
      fc.record({ do: fc.constant('listen' as const), ms: fc.integer({ min: 1, max: 400 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.constantFrom(16_000, 24_000), (steps, toHz) => {
        const speaker = loudspeaker({ toHz });
        const sent = new Map<string, number>();
        for (const each of steps) take(each, speaker, sent);
        speaker.stop();
        speaker.listen(20);
        speaker.stop();

        const ends = speaker.over();
        expect(ends.map(({ turnId }) => turnId).toSorted()).toEqual([...sent.keys()].toSorted());
        for (const { turnId, playedMs } of ends)
          expect(playedMs).toBeLessThanOrEqual((sent.get(turnId) ?? 0) + 0.01);
      }),
      { numRuns: 40 },
    );
  });
});

type Step =
  | { do: 'play'; turn: string; ms: number }
  | { do: 'end' | 'stop'; turn: string }
  | { do: 'listen'; ms: number };

function take(step: Step, speaker: ReturnType<typeof loudspeaker>, sent: Map<string, number>): void {
  if (step.do === 'listen') speaker.listen(step.ms);
  if (step.do === 'end' || step.do === 'stop') speaker[step.do](step.turn);
  if (step.do !== 'play') return;
  // The server sends no more for a finished turn.
  if (speaker.over().some(({ turnId }) => turnId === step.turn)) return;
  speaker.play(step.turn, sound(step.ms));
  sent.set(step.turn, (sent.get(step.turn) ?? 0) + step.ms);
}
