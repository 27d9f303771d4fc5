import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PauseHabit, patientMs, silencesFor } from '../../../api/src/listen/end-silences.ts';

const usual = { chosenMs: 600, patience: 'normal', habit: null } as const;
const known = (pauseMs: number): PauseHabit => ({ pauseMs, isKnown: true });

describe('the silence that ends what was said', () => {
  test('is short after what is complete, and long after what plainly goes on', () => {
    expect(silencesFor(usual)).toEqual({ whole: 200, asked: 300, ordinary: 600, unfinished: 1_500 });
  });

  test.each([
    { patience: 'quick', silences: { whole: 150, asked: 225, ordinary: 450, unfinished: 1_125 } },
    { patience: 'patient', silences: { whole: 300, asked: 450, ordinary: 900, unfinished: 2_250 } },
  ] as const)('is moved as a whole by a household that is $patience', ({ patience, silences }) => {
    expect(silencesFor({ ...usual, chosenMs: patientMs(600, patience), patience })).toEqual(silences);
  });

  test.each([
    { who: 'pauses a little', pauseMs: 300, silences: { whole: 450, asked: 450, ordinary: 550 } },
    { who: 'pauses for long', pauseMs: 800, silences: { whole: 950, asked: 950, ordinary: 1_050 } },
    { who: 'pauses for ever', pauseMs: 5_000, silences: { whole: 1_500, asked: 1_500, ordinary: 1_500 } },
    { who: 'never pauses', pauseMs: 0, silences: { whole: 200, asked: 300, ordinary: 400 } },
  ])('follows somebody who $who', ({ pauseMs, silences }) => {
    expect(silencesFor({ ...usual, habit: known(pauseMs) })).toMatchObject(silences);
  });

  test('is not made shorter for somebody of whom little is known', () => {
    const habit = { pauseMs: 0, isKnown: false };

    expect(silencesFor({ ...usual, habit })).toEqual(silencesFor(usual));
  });

  test('is longer the more the words seem to go on, whatever was chosen and learned', () => {
    const anything = fc.record({
      chosenMs: fc.integer({ min: 200, max: 3_000 }),
      patience: fc.constantFrom('quick' as const, 'normal' as const, 'patient' as const),
      habit: fc.option(fc.record({ pauseMs: fc.nat({ max: 60_000 }), isKnown: fc.boolean() })),
    });

    fc.assert(
      fc.property(anything, (options) => {
        const { whole, asked, ordinary, unfinished } = silencesFor(options);
        expect(150).toBeLessThanOrEqual(whole);
        expect(whole).toBeLessThanOrEqual(asked);
        expect(asked).toBeLessThanOrEqual(ordinary);
        expect(ordinary).toBeLessThanOrEqual(unfinished);
        expect(unfinished).toBeLessThanOrEqual(Math.max(3_000, options.chosenMs));
      }),
    );
  });
});
