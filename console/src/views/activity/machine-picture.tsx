import { t, tCount } from '../../language/translate.ts';
import { machineMarks } from './machine-marks.ts';
import type { TurnRecord } from './waterfall.ts';

/** Draws the machine of each of the last turns: a mark for each turn, and a legend with the numbers. */
export function MachinePicture({ turns }: { turns: readonly TurnRecord[] }) {
  const picture = machineMarks(turns);
  if (picture === null) return null;
  const { marks, shares } = picture;
  return (
    <section class="card stack" aria-labelledby="machines-of-turns">
      <h2 id="machines-of-turns">
        {tCount(marks.length, 'Machine of the last turn', 'Machines of the last {n} turns')}
      </h2>
      <span class="machine-marks" aria-hidden="true">
        {marks.map(({ turn, kind }) => (
          <i key={turn} class={kind} />
        ))}
      </span>
      <ul class="legend">
        {shares.map(({ words, kind, count }) => (
          <li key={words}>
            <i class={kind} />
            {t('{machine}: {n}', { machine: words, n: count })}
          </li>
        ))}
      </ul>
    </section>
  );
}
