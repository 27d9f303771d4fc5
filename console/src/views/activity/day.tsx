import { useSignal } from '@preact/signals';
import { t } from '../../language/translate.ts';
import { durationWords } from '../../parts/words.ts';
import { Chart } from './chart.tsx';
import { pointsOf } from './day-points.ts';
import type { DayOfTurns } from './waterfall.ts';

const parts: readonly (readonly [key: string, words: () => string])[] = [
  ['first-audio', () => t('Until the first sound')],
  ['stt', () => t('Speech recognition')],
  ['llm-first', () => t('The model’s first word')],
  ['llm', () => t('The model’s whole answer')],
  ['tts', () => t('Speaking|part')],
  ['total', () => t('Everything')],
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
        <h2 id="day">{t('The last 24 hours')}</h2>
        <div class="row">
          <label class="small" for="day-part">
            {t('Chart of')}
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
                {words()}
              </option>
            ))}
          </select>
        </div>
      </div>
      <Chart points={pointsOf(hours, part)} />
      <div class="scroll">
        <table class="table">
          <caption class="visually-hidden">{t('How long the parts took in the last 24 hours')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Part')}</th>
              <th scope="col" class="number">
                {t('Usually|table')}
              </th>
              <th scope="col" class="number">
                {t('19 of 20 within')}
              </th>
              <th scope="col" class="number">
                {t('Turns')}
              </th>
            </tr>
          </thead>
          <tbody>
            {known.map(([key, words]) => (
              <tr key={key}>
                <td>{words()}</td>
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
