import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { durationWords } from '../../parts/words.ts';
import { hashOf } from '../../route.ts';
import { type LogLines, LogTable } from '../health/log-table.tsx';
import { storyOf } from './story.ts';
import { Bars } from './turn-list.tsx';
import { type TurnRecord, waterfallOf } from './waterfall.ts';

const slowIntervalMs = 60_000;

/** Shows one turn from beginning to end. */
export function OneTurn({ house, id }: { house: House; id: string }) {
  const turn = useResource<TurnRecord>(house, `/admin/turns/${encodeURIComponent(id)}`, slowIntervalMs).state
    .value;
  return (
    <div class="stack">
      <p>
        <a href={hashOf('activity')}>{t('All activity')}</a>
      </p>
      <h1>{t('One turn')}</h1>
      {turn.isMissing ? (
        <p class="quiet">{t('Hearth keeps the last 200 turns. This one is older.')}</p>
      ) : (
        <Loaded state={turn} what={t('this turn|report')}>
          {(record) => <Story turn={record} />}
        </Loaded>
      )}
      <Lines house={house} id={id} />
    </div>
  );
}

function Story({ turn }: { turn: Partial<TurnRecord> }) {
  const { timeWords } = useHouseholdTimes();
  const { bars, marks } = waterfallOf(turn);
  const steps = [
    ...bars.map(({ words, startMs, tookMs }) => ({ words, startMs, took: durationWords(tookMs) })),
    ...marks.map(({ words, atMs }) => ({ words, startMs: atMs, took: '' })),
  ].toSorted((a, b) => a.startMs - b.startMs);
  return (
    <section class="card stack">
      <p class="quiet">{timeWords(turn.created_at)}</p>
      <p>{storyOf(turn).join(' ')}</p>
      <Bars turn={turn} isTall />
      <div class="scroll">
        <table class="table">
          <caption class="visually-hidden">{t('Steps of this turn')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Step')}</th>
              <th scope="col" class="number">
                {t('Started after')}
              </th>
              <th scope="col" class="number">
                {t('Took')}
              </th>
            </tr>
          </thead>
          <tbody>
            {steps.map(({ words, startMs, took }, index) => (
              <tr key={`${words}-${index}`}>
                <td class="words">{words}</td>
                <td class="number">{durationWords(startMs)}</td>
                <td class="number">{took}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Lines({ house, id }: { house: House; id: string }) {
  const { state } = useResource<LogLines>(
    house,
    `/admin/logs?turn=${encodeURIComponent(id)}&level=debug`,
    slowIntervalMs,
  );
  return (
    <section class="card stack">
      <h2>{t('Log lines')}</h2>
      <Loaded state={state.value} what={t('its log|report')}>
        {({ lines }) => <LogTable lines={lines ?? []} />}
      </Loaded>
    </section>
  );
}
