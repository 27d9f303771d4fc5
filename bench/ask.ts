import type { Household } from './household.ts';
import { alternate, roundTo, type Summary, table } from './measure.ts';
import type { Findings, Part } from './part.ts';

/** Target for an engine that takes 200 ms, with one caller: the maximum that /ask may add. */
const promise = { engineMs: 200, callers: 1, ratio: 1.03, extraMs: 5 };

/** Calls per case; slow cases get fewer, so that they do not take all the time. */
const cases = [
  { engineMs: 0, callers: 1, rounds: 300, callsInRow: 1 },
  { engineMs: 0, callers: 8, rounds: 20, callsInRow: 5 },
  { engineMs: 0, callers: 32, rounds: 10, callsInRow: 4 },
  { engineMs: 200, callers: 1, rounds: 60, callsInRow: 1 },
  { engineMs: 200, callers: 8, rounds: 8, callsInRow: 2 },
  { engineMs: 200, callers: 32, rounds: 6, callsInRow: 2 },
  { engineMs: 1_000, callers: 1, rounds: 8, callsInRow: 1 },
  { engineMs: 1_000, callers: 8, rounds: 3, callsInRow: 1 },
  { engineMs: 1_000, callers: 32, rounds: 3, callsInRow: 1 },
];

interface Measured {
  engineMs: number;
  callers: number;
  direct: Summary;
  ask: Summary;
  /** Difference of the medians. */
  ratio: number;
  extraMs: number;
}

/** The time that /ask adds to a streamed call of the same engine, both read to the end. */
export const askPart: Part = {
  name: 'ask',
  async run(house) {
    const measured: Measured[] = [];
    await warmUp(house);
    for (const { engineMs, ...how } of cases) {
      await house.setEngineTime(engineMs);
      // Conversations stay short, so that growing prompts are not part of this measurement.
      const ask = (caller: number, round: number) =>
        house.ask(`${engineMs}-${how.callers}-${caller}-${round}`);
      const [direct, through] = await alternate([house.askEngine, ask], how);
      if (!direct || !through) continue;
      measured.push({
        engineMs,
        callers: how.callers,
        direct,
        ask: through,
        ratio: through.medianMs / direct.medianMs,
        extraMs: through.medianMs - direct.medianMs,
      });
    }
    return report(measured);
  },
};

/** The first calls of a process include compiling. */
async function warmUp(house: Household): Promise<void> {
  await house.setEngineTime(0);
  const ask = (caller: number, round: number) => house.ask(`warm-up-${caller}-${round}`);
  await alternate([house.askEngine, ask], { callers: 4, rounds: 10, callsInRow: 5 });
}

function report(measured: readonly Measured[]): Findings {
  const head = ['engine', 'callers', 'calls', 'direct median', 'p95', '/ask median', 'p95', 'ratio', 'extra'];
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const rows = measured.map(({ engineMs, callers, direct, ask, ratio, extraMs }) => [
    `${engineMs} ms`,
    String(callers),
    String(ask.calls),
    ms(direct.medianMs),
    ms(direct.p95Ms),
    ms(ask.medianMs),
    ms(ask.p95Ms),
    ratio.toFixed(3),
    ms(extraMs),
  ]);
  const promised = measured.find((m) => m.engineMs === promise.engineMs && m.callers === promise.callers);
  const { ratio = Number.NaN, extraMs = Number.NaN } = promised ?? {};
  const isKept = ratio <= promise.ratio && extraMs <= promise.extraMs;
  const target = `at ${promise.engineMs} ms, one caller: ratio at most ${promise.ratio} and at most ${promise.extraMs} ms more`;
  return {
    text: `/ask over a direct streamed call of the same engine\n${table([head, ...rows])}\nTarget ${target}: ${isKept ? 'reached' : 'MISSED'}`,
    figures: measured.map((m) => ({ ...m, ratio: roundTo(m.ratio, 4), extraMs: roundTo(m.extraMs, 2) })),
    missed: isKept ? [] : [`/ask ${target}; measured ${roundTo(ratio, 3)} and ${roundTo(extraMs, 1)} ms.`],
  };
}
