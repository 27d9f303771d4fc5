import { useSignal } from '@preact/signals';
import { durationWords } from '../../parts/words.ts';
import { Chart } from './chart.tsx';
import { pointsOf } from './day-points.ts';
import type { DayOfTurns } from './waterfall.ts';

const parts: readonly (readonly [key: string, words: string])[] = [
  ['first-audio', 'Until the first sound'],
  ['stt', 'Speech recognition'],
  ['llm-first', 'The model’s first word'],
  ['llm', 'The model’s whole answer'],
  ['tts', 'Speaking'],
  ['total', 'Everything'],
];

/** The typical and the longest waiting times of the last 24 hours. */
export function TurnsOfDay({ day }: { day: Partial<DayOfTurns> }) {
  const { percentiles = {}, hours = [] } = day;
  const known = parts.filter(([key]) => percentiles[key] !== undefined);
  const chosen = useSignal('first-audio');
  if (known.length === 0) return null;
  const part = known.some(([key]) => key === chosen.value) ? chosen.value : (known.at(-1)?.[0] ?? 'total');
  return (
    <section class="card stack" aria-labelledby="day">
      <div class="row spread">
        <h2 id="day">The last 24 hours</h2>
        <div class="row">
          <label class="small" for="day-part">
            Chart of
          </label>
          <select
            id="day-part"
            class="short"
            value={part}
            onChange={(event) => {
              chosen.value = event.currentTarget.value;
            }}
          >
            {known.map(([key, words]) => (
              <option key={key} value={key}>
                {words}
              </option>
            ))}
          </select>
        </div>
      </div>
      <Chart points={pointsOf(hours, part)} />
      <div class="scroll">
        <table class="table">
          <caption class="visually-hidden">How long the parts took in the last 24 hours</caption>
          <thead>
            <tr>
              <th scope="col">Part</th>
              <th scope="col" class="number">
                Usually
              </th>
              <th scope="col" class="number">
                19 of 20 within
              </th>
              <th scope="col" class="number">
                Turns
              </th>
            </tr>
          </thead>
          <tbody>
            {known.map(([key, words]) => (
              <tr key={key}>
                <td>{words}</td>
                <td class="number">{durationWords(percentiles[key]?.p50 ?? 0)}</td>
                <td class="number">{durationWords(percentiles[key]?.p95 ?? 0)}</td>
                <td class="number">{percentiles[key]?.count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
