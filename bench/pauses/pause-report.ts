import type { TranscriptClassification } from '../../api/src/listen/utterance/end-silences.ts';
import { summary, table } from '../measure.ts';
import type { Findings } from '../part.ts';
import { type Cut, listed, pausesMs, placeKinds } from './pause-set.ts';
import type { Heard } from './say-cut.ts';

/** A way to decide ends. */
export interface Way {
  name: string;
  settings: Readonly<Record<string, boolean>>;
  /** The person has said ten sentences with such a pause before. */
  isLearned: boolean;
  /** The facts about a transcript that it does not use. */
  without?: readonly HiddenFact[];
}

/** A fact that turn-taking does not learn. `pace`: whether the words came faster than speech. */
export type HiddenFact = keyof TranscriptClassification | 'pace';

export const ways: readonly Way[] = [
  { name: 'by the words', settings: {}, isLearned: false },
  { name: '600 ms fixed', settings: { ends_early: false, waits_for_more: false }, isLearned: false },
  { name: 'early ends off', settings: { ends_early: false }, isLearned: false },
  { name: 'patience learned', settings: {}, isLearned: true },
];

const without = (name: string, ...facts: HiddenFact[]): Way => ({
  name: `no ${name}`,
  settings: {},
  isLearned: false,
  without: facts,
});

/** The words decide, but for one rule. */
export const ablations: readonly Way[] = [
  without('whole commands', 'isWhole'),
  without('questions', 'asks'),
  without('statements', 'states'),
  without('switches', 'switchesRoom'),
  without('incomplete', 'goesOn'),
  without('may continue', 'mayGoOn', 'mayGetLonger'),
  without('pace', 'pace'),
  without('joining', 'joins', 'isReply'),
];

const wantedWays = listed('BENCH_PAUSES_WAYS');
/** The ways of this run; all of them unless the environment names some. */
export const chosen = (all: readonly Way[]): Way[] =>
  all.filter(({ name }) => wantedWays.length === 0 || wantedWays.includes(name));
export const sentencesToLearn = 10;
/** Maximum share of sentences in which an answer became audible before the person had finished. */
const maxHeard = { 300: 0.03, 450: 0.1, learned: 0.01, standsAlone: 0.2 };
/** Maximum share of sentences that got two answers. */
const maxInTwo = { 700: 0.1, 1000: 0.2 };
export interface Spoken extends Heard {
  cut: Cut;
  pauseMs: number;
  way: string;
  /** Actions that the sentence without the pause does not cause, or causes only once. */
  wrongActs: readonly string[];
}

/** Actions of one way that the whole sentence does not cause, or causes only once. */
export function wrongActsOf(done: readonly string[], expected: readonly string[]): string[] {
  return done.filter((act, nth) => done.indexOf(act) !== nth || !expected.includes(act));
}

const share = (some: readonly Spoken[], is: (each: Spoken) => boolean) =>
  some.length === 0 ? Number.NaN : some.filter(is).length / some.length;
const percent = (value: number) => (Number.isNaN(value) ? '-' : `${(100 * value).toFixed(1)} %`);
const isInTwo = ({ answers }: Spoken) => answers > 1;
const isHalf = ({ cut }: Spoken) => cut.kind !== 'stands alone';
/** Without one rule a way only shows the worth of the rule. */
const isUsual = ({ way }: Spoken) => ways.some(({ name }) => name === way);
const wasHeard = ({ wasCutOff }: Spoken) => wasCutOff;

/** The table of cut-off sentences, by way of deciding ends and by the length of the pauses. */
export function report(title: string, all: readonly Spoken[]): Findings {
  const head = [
    'way, pause',
    'said',
    'cut off',
    ...placeKinds,
    'in two',
    'revised',
    'first sound',
    'wrong acts',
  ];
  const names = [...new Set(all.map(({ way }) => way))];
  const rows = names.flatMap((name) =>
    pausesMs.flatMap((pauseMs) => {
      const some = all.filter((each) => each.way === name && each.pauseMs === pauseMs);
      return some.length === 0 ? [] : [rowOf(`${name}, ${pauseMs} ms`, some)];
    }),
  );
  const each = all
    .filter(isUsual)
    .filter(({ wasCutOff, wrongActs }) => wasCutOff || wrongActs.length > 0)
    .map(({ way, pauseMs, cut, transcript, wrongActs, wasCutOff }) => [
      `${way}, ${pauseMs} ms, ${cut.kind}`,
      wasCutOff ? 'cut off' : '',
      `"${cut.before} | ..." heard "${transcript ?? ''}"`,
      wrongActs.join('; '),
    ]);
  return {
    text: `${title}: an answer became audible before the person was done
${table([head, ...rows])}

${each.length === 0 ? 'No sentence was cut off.' : table([['setting', '', 'sentence', 'wrong actions'], ...each])}`,
    figures: all.map(({ cut: { file, kind, before }, ...heard }) => ({
      file,
      kind,
      before,
      ...heard,
    })),
    missed: missedOf(all),
  };
}

function rowOf(name: string, some: readonly Spoken[]): string[] {
  const first = summary(some.flatMap(({ firstSoundMs }) => firstSoundMs ?? []));
  return [
    name,
    String(some.length),
    percent(share(some, wasHeard)),
    ...placeKinds.map((kind) =>
      percent(
        share(
          some.filter(({ cut }) => cut.kind === kind),
          wasHeard,
        ),
      ),
    ),
    percent(share(some, isInTwo)),
    percent(share(some, ({ revised }) => revised > 0)),
    `${first.medianMs.toFixed(0)} ms`,
    String(some.filter(({ wrongActs }) => wrongActs.length > 0).length),
  ];
}

function missedOf(all: readonly Spoken[]): string[] {
  const of = (way: string, pauseMs: number) =>
    all.filter((each) => each.way === way && each.pauseMs === pauseMs);
  const limits = [
    { what: 'pauses of 300 ms', some: of('by the words', 300).filter(isHalf), max: maxHeard[300] },
    { what: 'pauses of 450 ms', some: of('by the words', 450).filter(isHalf), max: maxHeard[450] },
    {
      what: 'pauses of 300 ms after words that could stand alone',
      some: of('by the words', 300).filter((each) => !isHalf(each)),
      max: maxHeard.standsAlone,
    },
    {
      what: 'learned pauses up to 450 ms',
      some: all.filter(({ way, pauseMs }) => way === 'patience learned' && pauseMs <= 450),
      max: maxHeard.learned,
    },
    {
      what: 'pauses up to 450 ms in sentences that plainly continue',
      some: all.filter(
        ({ way, pauseMs, cut }) => way === 'by the words' && pauseMs <= 450 && cut.kind === 'goes on',
      ),
      max: 0,
    },
    {
      what: 'pauses of 600 ms in sentences that plainly continue',
      some: of('by the words', 600).filter(({ cut }) => cut.kind === 'goes on'),
      max: 0.03,
    },
  ];
  const inTwo = ([700, 1_000] as const).map((pauseMs) => ({
    pauseMs,
    value: share(of('by the words', pauseMs), isInTwo),
    max: maxInTwo[pauseMs],
  }));
  const wrong = all.filter((each) => isUsual(each) && each.wrongActs.length > 0).length;
  return [
    ...limits
      .filter(({ some, max }) => share(some, wasHeard) > max)
      .map(
        ({ what, some, max }) =>
          `${percent(share(some, wasHeard))} are cut off by ${what}; the limit is ${percent(max)}.`,
      ),
    ...inTwo
      .filter(({ value, max }) => value > max)
      .map(
        ({ pauseMs, value, max }) =>
          `${percent(value)} got two answers after a pause of ${pauseMs} ms; the limit is ${percent(max)}.`,
      ),
    ...(wrong > 0 ? [`${wrong} sentences had other effects with a pause than without.`] : []),
  ];
}
