import { alternate, roundTo, table } from './measure.ts';
import type { Part } from './part.ts';

const short = 10;
const long = 1_000;
/** Each round asks a separate short conversation, so that all of them stay short. */
const rounds = 60;

/**
 * Whether a conversation of a thousand turns is answered as fast as one of ten. The engine takes no time, so
 * only Hearth's own time shows.
 */
export const conversationPart: Part = {
  name: 'conversation',
  async run(house) {
    await house.setEngineTime(0);
    for (let turn = 0; turn < long; turn += 1) await house.ask('long');
    const seed = async (round: number) => {
      for (let turn = 0; turn < short; turn += 1) await house.ask(`short-${round}`);
    };
    await Promise.all(
      Array.from({ length: 4 }, async (_, lane) => {
        for (let round = lane; round < rounds; round += 4) await seed(round);
      }),
    );

    const ways = [
      house.askEngine,
      (_caller: number, round: number) => house.ask(`short-${round}`),
      () => house.ask('long'),
    ];
    const [direct, ofShort, ofLong] = await alternate(ways, { callers: 1, rounds, callsInRow: 1 });
    if (!direct || !ofShort || !ofLong) throw new Error('no measurement');
    const extraMs = [ofShort, ofLong].map(({ medianMs }) => roundTo(medianMs - direct.medianMs, 2));
    const row = (name: string, { medianMs, p95Ms }: typeof direct, extra: string) => [
      name,
      `${medianMs.toFixed(1)} ms`,
      `${p95Ms.toFixed(1)} ms`,
      extra,
    ];
    const rows = [
      ['turns kept', 'median', 'p95', 'extra'],
      row('direct', direct, ''),
      row(`${short}`, ofShort, `${extraMs[0]} ms`),
      row(`${long}`, ofLong, `${extraMs[1]} ms`),
    ];
    return {
      text: `Conversations of ${short} and of ${long} turns, engine time 0 ms\n${table(rows)}`,
      figures: { direct, [short]: ofShort, [long]: ofLong, extraMs },
      missed: [],
    };
  },
};
