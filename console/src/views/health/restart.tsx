import { useSignal } from '@preact/signals';
import type { operations } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';

type Processes = operations['getRestart']['responses'][200]['content']['application/json'];

const intervalMs = 3_000;

const choices: readonly (readonly [what: string, words: () => string])[] = [
  ['api', () => t('The api')],
  ['workers', () => t('The workers')],
  ['all', () => t('Both')],
];

/** Restarts processes without losing a question. The model servers have a button on their cards. */
export function Restart({ house }: { house: House }) {
  const { timeWords } = useHouseholdTimes();
  const poll = useResource<Processes>(house, '/admin/restart', intervalMs);
  const said = useSignal('');
  const wrong = useSignal('');
  const what = useSignal('workers');
  const restart = async (): Promise<void> => {
    try {
      const { body } = await house.caller.call('/admin/restart', { body: { what: what.value } });
      said.value = bodyOf<{ message: string }>(body).message ?? '';
      wrong.value = '';
    } catch (error) {
      wrong.value = sentenceOf(error);
      said.value = '';
    }
    await poll.ask();
  };
  return (
    <section class="card stack" aria-labelledby="restart">
      <h2 id="restart">{t('Restart')}</h2>
      <Loaded state={poll.state.value} what={t('its processes')}>
        {({ apis = [], workers = [] }) => (
          <ul class="items">
            {[
              ...apis.map((each) => ({ ...each, kind: 'api' })),
              ...workers.map((each) => ({ ...each, kind: t('worker') })),
            ].map(({ kind, instance, started_at, draining, busy }) => (
              <li key={instance}>
                <span>
                  {kind} <span class="mono quiet">{instance}</span>
                </span>
                <span class="quiet small">
                  {draining
                    ? t('stops when its work is done')
                    : t('since {time}', { time: timeWords(started_at) })}
                  {busy > 0 && `, ${t('{n} running', { n: busy })}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <ErrorText text={wrong} />
      <p class="words" role="status">
        {said}
      </p>
      <div class="row">
        <label class="visually-hidden" for="restart-what">
          {t('Processes to restart')}
        </label>
        <select
          id="restart-what"
          class="short"
          value={what.value}
          onChange={(event) => {
            what.value = event.currentTarget.value;
          }}
        >
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {words()}
            </option>
          ))}
        </select>
        <ConfirmButton sure={t('Restart now?')} onConfirm={() => void restart()}>
          {t('Restart')}
        </ConfirmButton>
      </div>
    </section>
  );
}
