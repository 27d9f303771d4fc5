import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type LendingHouse, slotsEach, startLendingHouse } from './lending-house.ts';
import { alternate, median, roundTo, table } from './measure.ts';
import type { Findings, Part } from './part.ts';

/** Targets of a strong machine that lends its language model. */
const promise = { hopMs: 3, vanishedRatio: 1.3, throughput: 1.8 };

/** The small machine answers after 300 ms, and speaks for 200 ms. The strong one is ten times as fast. */
const small = { firstMs: 300, tokens: 10, perSecond: 50 };
const strong = { firstMs: 30, tokens: 10, perSecond: 500 };
/** An answer that shows the cost of the way alone. */
const instant = { firstMs: 0, tokens: 10, perSecond: 1_000 };

const usualCalls = 15;
const hopRounds = 100;
const questions = 40;
const callers = 4 * slotsEach;
const vanishings = ['SIGSTOP', 'SIGKILL', 'SIGSTOP', 'SIGKILL', 'SIGSTOP', 'SIGKILL'] as const;
/** Answers after which the usual time of a machine is known. */
const learnedAfter = 6;

interface Vanishing {
  signal: (typeof vanishings)[number];
  firstMs: number;
  /** From its return to the first moment in which it is preferred again. */
  backMs: number;
}

interface Measured {
  usualMs: number;
  hopMs: number;
  throughput: number;
  vanished: Vanishing[];
}

/** Cost and gain of a second machine, and the wait after it has vanished. */
export const lendingPart: Part = {
  name: 'lending',
  async run(around) {
    const house = await startLendingHouse(around);
    try {
      return report(await measure(house));
    } finally {
      await house.end();
    }
  },
};

async function measure(house: LendingHouse): Promise<Measured> {
  await house.setSmall(small);
  await house.setStrong(small);
  const usual: number[] = [];
  for (let call = 0; call < usualCalls; call += 1) usual.push((await house.ask(`usual-${call}`)).tookMs);
  const oneMs = await throughTime(house, 'one');

  await house.join();
  const lender = house.lend();
  await house.untilBoth(lender);
  const twoMs = await throughTime(house, 'two');

  await house.setStrong(instant);
  const [direct, lent] = await alternate(house.callers(), { callers: 1, rounds: hopRounds, callsInRow: 1 });
  if (!direct || !lent) throw new Error('no measurement');
  await house.setStrong(strong);
  return {
    usualMs: median(usual.slice(3)),
    hopMs: lent.medianMs - direct.medianMs,
    throughput: oneMs / twoMs,
    vanished: await vanishAndReturn(house, lender),
  };
}

/** The time for all questions, each of which keeps a slot of a model busy. */
async function throughTime(house: LendingHouse, name: string): Promise<number> {
  const begunAt = performance.now();
  let next = 0;
  const talk = async (): Promise<void> => {
    while (next < questions) {
      next += 1;
      await house.ask(`${name}-${next}`);
    }
  };
  await Promise.all(Array.from({ length: callers }, talk));
  return performance.now() - begunAt;
}

/** The strong machine vanishes in different ways, and returns. */
async function vanishAndReturn(house: LendingHouse, first: ChildProcess): Promise<Vanishing[]> {
  const found: Vanishing[] = [];
  let lender = first;
  for (const signal of vanishings) {
    await untilPreferred(house);
    for (let call = 0; call < learnedAfter; call += 1) await house.ask('anna');
    lender.kill(signal);
    const asked = await house.ask('anna');
    if ((await house.machineOf(asked)) !== null)
      throw new Error('the strong machine answered after it had vanished');
    await delay(1_500); // the connection ends within about a second
    const backAt = performance.now();
    if (signal === 'SIGSTOP') lender.kill('SIGCONT');
    else lender = house.lend();
    await untilPreferred(house);
    found.push({ signal, firstMs: asked.tookMs, backMs: performance.now() - backAt });
  }
  return found;
}

async function untilPreferred(house: LendingHouse): Promise<void> {
  for (;;) {
    if ((await house.machineOf(await house.ask('anna'))) === 'desktop') return;
    await delay(50);
  }
}

function report({ usualMs, hopMs, throughput, vanished }: Measured): Findings {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const rows = vanished.map(({ signal, firstMs, backMs }) => [
    signal,
    ms(firstMs),
    (firstMs / usualMs).toFixed(2),
    ms(backMs),
  ]);
  const worst = Math.max(...vanished.map(({ firstMs }) => firstMs / usualMs));
  const goals = [
    {
      words: `a lent call takes at most ${promise.hopMs} ms more`,
      value: hopMs,
      isKept: hopMs <= promise.hopMs,
    },
    {
      words: `the first answer after it vanished takes at most ${promise.vanishedRatio} of the usual time`,
      value: worst,
      isKept: worst <= promise.vanishedRatio,
    },
    {
      words: `two equal machines answer at least ${promise.throughput} times as many questions`,
      value: throughput,
      isKept: throughput >= promise.throughput,
    },
  ];
  const lines = goals.map(
    ({ words, value, isKept }) => `Target ${words}: ${roundTo(value, 2)}, ${isKept ? 'reached' : 'MISSED'}`,
  );
  return {
    text: [
      `A strong machine lends its language model; the small one usually answers in ${ms(usualMs)}`,
      table([['vanished by', 'first answer', 'of the usual', 'preferred again'], ...rows]),
      ...lines,
    ].join('\n'),
    figures: { usualMs, hopMs, throughput, vanished },
    missed: goals
      .filter(({ isKept }) => !isKept)
      .map(({ words, value }) => `Lending: ${words}; measured ${roundTo(value, 2)}.`),
  };
}
