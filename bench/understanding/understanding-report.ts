import { table } from '../measure.ts';
import type { Findings } from '../part.ts';
import { type JudgedSentence, lineOf, outcomes } from './judged-sentences.ts';

/**
 * Target shares of the sentences that a person could answer, and actions on sentences for other assistants.
 */
const goals = { right: 0.88, untrue: 0.005, wrong: 0.0001, foreignActs: 0, p50Ms: 3, p99Ms: 15 };

/** Groups that need a connection which the example house does not have. */
const connected = new Set(['music', 'weather', 'calendar asked', 'calendar changed']);

/** Counts the outcomes of sentences, for each group of intents and in total. */
export function reportOf(judged: readonly JudgedSentence[]): Findings {
  const groups = Map.groupBy(judged, ({ group }) => group ?? 'not for Hearth');
  const rows = [...groups]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, these]) => ({ name, ...countsOf(these) }));
  const offered = countsOf(judged.filter(({ group }) => group !== null && !connected.has(group)));
  const foreign = judged.filter(({ group, acts }) => group === null && acts > 0);
  const wrong = judged.filter(({ outcome }) => outcome === 'wrong');
  const times = percentiles(judged.filter(({ via }) => via === 'skills').map(({ tookMs }) => tookMs));
  const figures = { rows, offered, foreign: foreign.length, wrong: wrong.length, times };
  return {
    text: textOf({ judged, rows, offered, foreign, wrong, times }),
    figures,
    missed: missedOf(figures),
  };
}

function countsOf(judged: readonly JudgedSentence[]) {
  const counts = outcomes.map((outcome) => judged.filter((each) => each.outcome === outcome).length);
  const of = (outcome: JudgedSentence['outcome']) => counts[outcomes.indexOf(outcome)] ?? 0;
  // A person could not know the meaning of noise either.
  const answerable = judged.length - of('noise');
  return { said: judged.length, counts, answerable, right: of('right'), untrue: of('untrue') };
}

type Counts = ReturnType<typeof countsOf>;

const shareOf = (part: number, { answerable }: Counts): number => part / Math.max(answerable, 1);
const percentOf = (share: number): string => `${(share * 100).toFixed(1)} %`;

function percentiles(times: readonly number[]) {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

interface Counted {
  judged: readonly JudgedSentence[];
  rows: readonly (Counts & { name: string })[];
  offered: Counts;
  foreign: readonly JudgedSentence[];
  wrong: readonly JudgedSentence[];
  times: ReturnType<typeof percentiles>;
}

function textOf({ judged, rows, offered, foreign, wrong, times }: Counted): string {
  const cells = (name: string, each: Counts) => [
    name,
    String(each.said),
    ...each.counts.map(String),
    percentOf(shareOf(each.right, each)),
  ];
  return [
    `Understanding: ${judged.length} sentences of other people, in a real house`,
    table([
      ['', 'said', ...outcomes, 'right of answerable'],
      ...rows.map((row) => cells(row.name, row)),
      cells('total without those that need a connection', offered),
    ]),
    `Answered by skills: p50 ${times.p50Ms.toFixed(1)} ms, p99 ${times.p99Ms.toFixed(1)} ms`,
    ...new Set([...foreign, ...wrong].map((each) => `  ${lineOf(each)}`)),
  ].join('\n');
}

function missedOf({
  offered,
  foreign,
  wrong,
  times,
  rows,
}: Omit<Counted, 'judged' | 'foreign' | 'wrong'> & Record<'foreign' | 'wrong', number>) {
  const said = rows.reduce((sum, row) => sum + row.said, 0);
  const [right, untrue] = [shareOf(offered.right, offered), shareOf(offered.untrue, offered)];
  const found: [boolean, string][] = [
    [foreign > goals.foreignActs, `${foreign} sentences for other assistants changed something.`],
    [wrong > goals.wrong * said, `${wrong} sentences did something other than requested.`],
    [
      offered.answerable > 0 && right < goals.right,
      `Only ${percentOf(right)} of the answerable sentences were right.`,
    ],
    [untrue > goals.untrue, `${percentOf(untrue)} of the answers to answerable sentences were untrue.`],
    [times.p50Ms > goals.p50Ms, `Half of the skill answers took longer than ${times.p50Ms.toFixed(1)} ms.`],
    [
      times.p99Ms > goals.p99Ms,
      `One in a hundred skill answers took longer than ${times.p99Ms.toFixed(1)} ms.`,
    ],
  ];
  return found.flatMap(([isMissed, text]) => (isMissed ? [text] : []));
}
