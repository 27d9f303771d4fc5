import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  outlookOf,
  type PauseHabit,
  patientMs,
  silencesFor,
} from '../../../../api/src/listen/utterance/end-silences.ts';
import { judged } from '../../../support/live-session.ts';

const usual = { chosenMs: 600, patience: 'normal', habit: null } as const;
const known = (pauseMs: number): PauseHabit => ({ pauseMs, isKnown: true });

describe('the end silence', () => {
  test('is short after a complete sentence, and long after one that plainly continues', () => {
    expect(silencesFor(usual)).toEqual({
      answered: 256,
      whole: 320,
      asked: 320,
      stated: 450,
      ordinary: 600,
      open: 900,
      unfinished: 1_500,
    });
  });

  test.each([
    {
      patience: 'quick',
      silences: {
        answered: 192,
        whole: 240,
        asked: 240,
        stated: 338,
        ordinary: 450,
        open: 675,
        unfinished: 1_125,
      },
    },
    {
      patience: 'patient',
      silences: {
        answered: 384,
        whole: 480,
        asked: 480,
        stated: 675,
        ordinary: 900,
        open: 1_350,
        unfinished: 2_250,
      },
    },
  ] as const)('is shifted as a whole for a household that is $patience', ({ patience, silences }) => {
    expect(silencesFor({ ...usual, chosenMs: patientMs(600, patience), patience })).toEqual(silences);
  });

  test.each([
    { who: 'pauses a little', pauseMs: 300, silences: { whole: 450, asked: 450, ordinary: 550 } },
    { who: 'pauses for long', pauseMs: 800, silences: { whole: 950, asked: 950, ordinary: 1_050 } },
    { who: 'pauses for ever', pauseMs: 5_000, silences: { whole: 1_500, asked: 1_500, ordinary: 1_500 } },
    { who: 'never pauses', pauseMs: 0, silences: { whole: 320, asked: 320, ordinary: 400 } },
  ])('adapts to a person who $who', ({ pauseMs, silences }) => {
    expect(silencesFor({ ...usual, habit: known(pauseMs) })).toMatchObject(silences);
  });

  test('is not shortened for a person with few known pauses', () => {
    const habit = { pauseMs: 0, isKnown: false };

    expect(silencesFor({ ...usual, habit })).toEqual(silencesFor(usual));
  });

  test('grows with the likelihood of more words, for any setting and any learned pauses', () => {
    const anything = fc.record({
      chosenMs: fc.integer({ min: 200, max: 3_000 }),
      patience: fc.constantFrom('quick' as const, 'normal' as const, 'patient' as const),
      habit: fc.option(fc.record({ pauseMs: fc.nat({ max: 60_000 }), isKnown: fc.boolean() })),
    });

    fc.assert(
      fc.property(anything, (options) => {
        const { whole, asked, stated, ordinary, open, unfinished } = silencesFor(options);
        expect(150).toBeLessThanOrEqual(whole);
        expect(whole).toBeLessThanOrEqual(asked);
        expect(asked).toBeLessThanOrEqual(stated);
        expect(stated).toBeLessThanOrEqual(ordinary);
        expect(ordinary).toBeLessThanOrEqual(open);
        expect(open).toBeLessThanOrEqual(unfinished);
        expect(unfinished).toBeLessThanOrEqual(Math.max(3_000, options.chosenMs));
      }),
    );
  });
});

describe('the outlook of a sentence', () => {
  const usual = { isSure: true, seemsCut: false, isAnswer: false, endsEarly: true, waitsForMore: true };
  const command = judged({ isWhole: true, isUndoable: true });
  const [question, statement, half] = [
    judged({ asks: true }),
    judged({ states: true }),
    judged({ goesOn: true }),
  ];

  test.each([
    { what: 'a command that can be undone', is: command, outlook: 'whole' },
    {
      what: 'a command that cannot be undone',
      is: judged({ isWhole: true, asks: true }),
      outlook: 'ordinary',
    },
    { what: 'a list that may go on', is: { ...command, mayGetLonger: true }, outlook: 'open' },
    { what: 'a switch of a named room', is: judged({ switchesRoom: true }), outlook: 'whole' },
    {
      what: 'such a switch that may continue',
      is: judged({ switchesRoom: true, goesOn: true }),
      outlook: 'unfinished',
    },
    { what: 'a question', is: question, outlook: 'asked' },
    { what: 'a statement', is: statement, outlook: 'stated' },
    { what: 'half a question', is: judged({ asks: true, goesOn: true }), outlook: 'unfinished' },
    { what: 'half a sentence', is: half, outlook: 'unfinished' },
    { what: 'a sentence that may be half', is: judged({ mayGoOn: true }), outlook: 'open' },
    { what: 'a whole sentence that may continue', is: { ...command, mayGoOn: true }, outlook: 'whole' },
    { what: 'a backchannel', is: judged({ isBackchannel: true }), outlook: 'stated' },
    { what: 'anything else', is: judged({}), outlook: 'ordinary' },
  ])('$what: $outlook', ({ is, outlook }) => {
    expect(outlookOf(is, usual)).toBe(outlook);
  });

  test.each([
    { what: 'a doubtful command', is: command, how: { isSure: false } },
    { what: 'a doubtful question', is: question, how: { isSure: false } },
    { what: 'a statement, where nothing ends early', is: statement, how: { endsEarly: false } },
    { what: 'half a sentence, where nothing is waited for', is: half, how: { waitsForMore: false } },
    {
      what: 'a cut transcript, where nothing is waited for',
      is: command,
      how: { seemsCut: true, waitsForMore: false },
    },
  ])('$what ends at the chosen silence', ({ is, how }) => {
    expect(outlookOf(is, { ...usual, ...how })).toBe('ordinary');
  });

  test('a short answer to the assistant: whole, unless it is doubtful', () => {
    const answer = { ...usual, isAnswer: true };

    expect([outlookOf(half, answer), outlookOf(judged({}), { ...answer, seemsCut: true })]).toEqual([
      'answered',
      'answered',
    ]);
    expect(outlookOf(judged({}), { ...answer, isSure: false })).toBe('ordinary');
  });

  test.each([
    { what: 'a command', is: command },
    { what: 'a question', is: question },
    { what: 'anything else', is: judged({}) },
  ])('$what whose transcript seems cut may continue', ({ is }) => {
    expect(outlookOf(is, { ...usual, seemsCut: true })).toBe('open');
  });
});
