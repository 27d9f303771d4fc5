import { describe, expect, test } from 'vitest';
import { outlookOf } from '../../../api/src/listen/live-transcript.ts';
import { endTimes, maySilentlyPass } from '../../../api/src/listen/pending-utterance.ts';

const long = { isManual: false, hasInterrupted: false, speechMs: 900 };
const burst = { ...long, speechMs: 300 };

describe('an utterance without words', () => {
  test.each([
    { what: 'a burst', utterance: burst, awaitsOther: false, passes: true },
    { what: 'a murmur while another answer is on its way', utterance: long, awaitsOther: true, passes: true },
    { what: 'longer speech', utterance: long, awaitsOther: false, passes: false },
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

test('the end of an utterance lies before the silence that proved it', () => {
  const sound = { sampleRateHz: 16_000, samples: Buffer.alloc(32 * 2_000) };

  const times = endTimes({ atMs: 3_600, untilMs: 3_000, sound }, { spokenFromMs: 1_400, nowMs: 50_000 });

  expect(times).toEqual({ speechMs: 1_600, endSilenceMs: 600, untilMs: 49_400, soundMs: 2_000 });
});

describe('the outlook of a transcript', () => {
  const whole = { isWhole: true, isUndoable: true, asks: false, goesOn: false };
  const goesOn = { isWhole: false, isUndoable: false, asks: false, goesOn: true };
  const asks = { isWhole: false, isUndoable: false, asks: true, goesOn: false };
  const wanted = { endsEarly: true, waitsForMore: true };

  test.each([
    { what: 'a whole command', judgement: whole, settings: wanted, outlook: 'whole' },
    {
      what: 'one that cannot be undone',
      judgement: { ...whole, isUndoable: false },
      settings: wanted,
      outlook: 'ordinary',
    },
    {
      what: 'a whole command, early ends being off',
      judgement: whole,
      settings: { ...wanted, endsEarly: false },
      outlook: 'ordinary',
    },
    { what: 'half a sentence', judgement: goesOn, settings: wanted, outlook: 'unfinished' },
    { what: 'a question', judgement: asks, settings: wanted, outlook: 'asked' },
    {
      what: 'a question, early ends being off',
      judgement: asks,
      settings: { ...wanted, endsEarly: false },
      outlook: 'ordinary',
    },
    {
      what: 'a question of a skill that cannot be undone',
      judgement: { ...asks, isWhole: true },
      settings: wanted,
      outlook: 'ordinary',
    },
    {
      what: 'half a question',
      judgement: { ...asks, goesOn: true },
      settings: wanted,
      outlook: 'unfinished',
    },
    {
      what: 'half a sentence, waiting being off',
      judgement: goesOn,
      settings: { ...wanted, waitsForMore: false },
      outlook: 'ordinary',
    },
  ])('after $what is $outlook', ({ judgement, settings, outlook }) => {
    expect(outlookOf(judgement, settings)).toBe(outlook);
  });
});
