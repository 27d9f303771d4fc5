import { describe, expect, test } from 'vitest';
import { endTimes, maySilentlyPass } from '../../../../api/src/listen/utterance/pending-utterance.ts';

const long = { isManual: false, hasInterrupted: false, answersQuestion: false, speechMs: 900 };
const burst = { ...long, speechMs: 300 };

describe('an utterance without words', () => {
  test.each([
    { what: 'a burst', utterance: burst, awaitsOther: false, passes: true },
    { what: 'a murmur while another answer is on its way', utterance: long, awaitsOther: true, passes: true },
    { what: 'longer speech', utterance: long, awaitsOther: false, passes: false },
    {
      what: 'a burst after a question of the assistant',
      utterance: { ...burst, answersQuestion: true },
      awaitsOther: false,
      passes: false,
    },
    {
      what: 'a press of a button',
      utterance: { ...burst, isManual: true },
      awaitsOther: true,
      passes: false,
    },
    {
      what: 'an interruption',
      utterance: { ...burst, hasInterrupted: true },
      awaitsOther: true,
      passes: false,
    },
  ])('may pass in silence after $what: $passes', ({ utterance, awaitsOther, passes }) => {
    expect(maySilentlyPass(utterance, { awaitsOther })).toBe(passes);
  });
});

test('the end of an utterance lies before the silence that confirmed it', () => {
  const sound = { sampleRateHz: 16_000, samples: Buffer.alloc(32 * 2_000) };

  const times = endTimes({ atMs: 3_600, untilMs: 3_000, sound }, { spokenFromMs: 1_400, nowMs: 50_000 });

  expect(times).toEqual({ clarity: 0, speechMs: 1_600, endSilenceMs: 600, untilMs: 49_400, soundMs: 2_000 });
});
