import { summary, table } from '../measure.ts';
import type { Findings } from '../part.ts';
import { type Cut, pausesMs, placeKinds } from './pause-set.ts';
import type { Heard } from './say-cut.ts';

/** How ends are decided. The last one has heard ten sentences with such a pause before. */
export const ways = [
  { name: 'by the words', settings: {}, isLearned: false },
  { name: '600 ms fixed', settings: { ends_early: false, waits_for_more: false }, isLearned: false },
  { name: 'early ends off', settings: { ends_early: false }, isLearned: false },
  { name: 'patience learned', settings: {}, isLearned: true },
] as const;
export type Way = (typeof ways)[number];
export const sentencesToLearn = 10;
/** Shares of sentences inside which an answer began to sound. */
const maxHeard = { 300: 0.03, 450: 0.1, learned: 0.01 };
export interface Spoken extends Heard {
  cut: Cut;
  pauseMs: number;
  way: Way['name'];
  /** What was done that the sentence without the pause does not do, or does once. */
  wrongActs: readonly string[];
}

/** What was done in one way of saying a sentence that the sentence as a whole does not do, or does once. */
export function wrongActsOf(done: readonly string[], expected: readonly string[]): string[] {
  return done.filter((act, nth) => done.indexOf(act) !== nth || !expected.includes(act));
}

const share = (some: readonly Spoken[], is: (each: Spoken) => boolean) =>
  some.length === 0 ? Number.NaN : some.filter(is).length / some.length;
const percent = (value: number) => (Number.isNaN(value) ? '-' : `${(100 * value).toFixed(1)} %`);
const wasHeard = ({ wasCutOff }: Spoken) => wasCutOff;

/** The table of who was cut off, by how ends are decided and by the length of the pauses. */
export function report(title: string, all: readonly Spoken[]): Findings {
  const head = ['way, pause', 'said', 'cut off', ...placeKinds, 'revised', 'first sound', 'wrong acts'];
  const rows = ways.flatMap(({ name }) =>
    pausesMs.flatMap((pauseMs) => {
      const some = all.filter((each) => each.way === name && each.pauseMs === pauseMs);
      return some.length === 0 ? [] : [rowOf(`${name}, ${pauseMs} ms`, some)];
    }),
  );
  const each = all
    .filter(({ wasCutOff, wrongActs }) => wasCutOff || wrongActs.length > 0)
    .map(({ way, pauseMs, cut, transcript, wrongActs, wasCutOff }) => [
      `${way}, ${pauseMs} ms, ${cut.kind}`,
      wasCutOff ? 'cut off' : '',
      `"${cut.before} | ..." heard "${transcript ?? ''}"`,
      wrongActs.join('; '),
    ]);
  return {
    text: `${title}: an answer began to sound before the person was done
${table([head, ...rows])}

${each.length === 0 ? 'Nobody was cut off.' : table([['who', '', 'what', 'wrong acts'], ...each])}`,
    figures: all.map(({ cut: { said, kind, before }, ...heard }) => ({
      file: said.file,
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
    percent(share(some, ({ revised }) => revised > 0)),
    `${first.medianMs.toFixed(0)} ms`,
    String(some.filter(({ wrongActs }) => wrongActs.length > 0).length),
  ];
}

function missedOf(all: readonly Spoken[]): string[] {
  const of = (way: Way['name'], pauseMs: number) =>
    all.filter((each) => each.way === way && each.pauseMs === pauseMs);
  const limits = [
    { what: 'pauses of 300 ms', some: of('by the words', 300), most: maxHeard[300] },
    { what: 'pauses of 450 ms', some: of('by the words', 450), most: maxHeard[450] },
    {
      what: 'pauses up to 450 ms that are known',
      some: all.filter(({ way, pauseMs }) => way === 'patience learned' && pauseMs <= 450),
      most: maxHeard.learned,
    },
    {
      what: 'pauses up to 450 ms where the sentence plainly goes on',
      some: all.filter(
        ({ way, pauseMs, cut }) => way === 'by the words' && pauseMs <= 450 && cut.kind === 'goes on',
      ),
      most: 0,
    },
  ];
  const wrong = all.filter(({ wrongActs }) => wrongActs.length > 0).length;
  return [
    ...limits
      .filter(({ some, most }) => share(some, wasHeard) > most)
      .map(
        ({ what, some, most }) =>
          `${percent(share(some, wasHeard))} are cut off by ${what}, at most ${percent(most)} are promised.`,
      ),
    ...(wrong > 0 ? [`${wrong} sentences with a pause did something else than without.`] : []),
  ];
}
