import '../../style/activity.css';
import { useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { useChanges } from '../../parts/change.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { useOnDemand } from '../../parts/on-demand.tsx';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { Forgetting } from './forgetting.tsx';
import { Mistakes } from './mistakes.tsx';
import { OneTurn } from './one-turn.tsx';
import { Said } from './said.tsx';
import type { DayOfTurns } from './waterfall.ts';

const intervalMs = 5_000;
const slowIntervalMs = 30_000;

/** Shows past questions and answers: the words first, then the details. */
export function ActivityView({ house, detail }: { house: House; detail: string | null }) {
  return detail === null ? <All house={house} /> : <OneTurn key={detail} house={house} id={detail} />;
}

function All({ house }: { house: House }) {
  const { state } = useResource<DayOfTurns>(house, '/admin/turns?limit=200', intervalMs);
  const mistakes = useResource<components['schemas']['Mistakes']>(house, '/admin/mistakes', slowIntervalMs);
  const { trouble: refused, change } = useChanges(house, mistakes);
  const { value, trouble, isMissing } = state.value;
  // An entry shows its turn, so the list waits for the turns. Otherwise the layout would jump.
  const isDecided = value !== null || trouble !== null || isMissing;
  const reported = new Set(mistakes.state.value.value?.mistakes?.map(({ turn }) => turn));
  const forgotten = useSignal(0);
  const onForgotten = (): void => {
    forgotten.value += 1;
    void mistakes.ask();
  };
  return (
    <div class="stack">
      <h1>{t('Activity')}</h1>
      <ErrorText text={refused} />
      <Said
        house={house}
        turns={isDecided ? (value?.turns ?? []) : null}
        reported={reported}
        forgotten={forgotten.value}
        onForgotten={onForgotten}
        onReport={(body) => void change('/admin/mistakes', { body })}
      />
      <Mistakes house={house} mistakes={mistakes} change={change} />
      <Forgetting house={house} onForgotten={onForgotten} />
      <Details>
        {(Times) => (
          <Loaded state={state.value} what={t('its turns|report')}>
            {(day) => <Times day={day} />}
          </Loaded>
        )}
      </Details>
    </div>
  );
}

type TimesView = typeof import('./times.tsx')['Times'];

/** Loads the chart when it is opened for the first time. */
function Details({ children }: { children: (times: TimesView) => preact.ComponentChildren }) {
  const { loaded, load, failure } = useOnDemand(
    t('This part of the page|on demand'),
    () => import('./times.tsx'),
  );
  return (
    <details class="card times" onToggle={() => void load()}>
      <summary>{t('Details: where the time went')}</summary>
      <div class="stack">
        {failure}
        {loaded.value && children(loaded.value.Times)}
      </div>
    </details>
  );
}
