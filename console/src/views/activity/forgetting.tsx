import { useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t, tCount } from '../../language/translate.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { ErrorText } from '../../parts/error-text.tsx';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { useResource } from '../../parts/resource.tsx';
import { momentOf } from '../../parts/words.ts';
import { sentenceOf } from '../../server/call.ts';

type Kept = components['schemas']['Conversations'];

const intervalMs = 10_000;
const dayMs = 24 * 3_600_000;

interface ForgettingProps {
  house: House;
  onForgotten: () => void;
}

/** Deletes the words of a day, of one device, or all of them. */
export function Forgetting({ house, onForgotten }: ForgettingProps) {
  const said = useSignal('');
  const wrong = useSignal('');
  const forget = async (which: Record<string, string>): Promise<void> => {
    try {
      const path = `/admin/conversations?${new URLSearchParams(which)}`;
      const { body } = await house.caller.call(path, { method: 'DELETE' });
      [said.value, wrong.value] = [forgottenWords(body), ''];
      onForgotten();
    } catch (error) {
      [said.value, wrong.value] = ['', sentenceOf(error)];
    }
  };
  return (
    <section class="card stack" aria-labelledby="forget">
      <h2 id="forget">{t('Forget')}</h2>
      <ErrorText text={wrong} />
      <p role="status">{said}</p>
      <OneDay house={house} onForget={(which) => void forget(which)} />
      <OneDevice house={house} onForget={(which) => void forget(which)} />
      <div>
        <ConfirmButton
          sure={t('Forget everything?')}
          onConfirm={() => void forget({ before: new Date(Date.now() + dayMs).toISOString() })}
        >
          {t('Forget everything that was said')}
        </ConfirmButton>
      </div>
    </section>
  );
}

interface PartProps {
  onForget: (which: Record<string, string>) => void;
}

function OneDay({ house, onForget }: PartProps & { house: House }) {
  const day = useSignal('');
  const forget = (): void => {
    const zone = house.timeZone.value;
    const next = new Date(Date.parse(`${day.value}T00:00Z`) + dayMs).toISOString().slice(0, 10);
    const [after, before] = [momentOf(`${day.value}T00:00`, zone), momentOf(`${next}T00:00`, zone)];
    onForget({ after: after.toISOString(), before: before.toISOString() });
  };
  return (
    <div class="row">
      <input
        class="short"
        type="date"
        aria-label={t('Day')}
        value={day.value}
        onInput={({ currentTarget }) => (day.value = currentTarget.value)}
      />
      <ConfirmButton sure={t('Forget this day?')} disabled={day.value === ''} onConfirm={forget}>
        {t('Forget this day')}
      </ConfirmButton>
    </div>
  );
}

function OneDevice({ house, onForget }: PartProps & { house: House }) {
  const { minuteWords } = useHouseholdTimes();
  const poll = useResource<Kept>(house, '/admin/conversations?limit=200', intervalMs);
  const chosen = useSignal('');
  const conversations = poll.state.value.value?.conversations ?? [];
  const name = conversations.some((each) => each.name === chosen.value) ? chosen.value : '';
  return (
    <div class="row">
      <select
        class="short"
        aria-label={t('Device')}
        value={name}
        onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}
      >
        <option value="">{t('A device …')}</option>
        {conversations.map(({ name: each, last_at }) => (
          <option key={each} value={each}>
            {each}, {minuteWords(Date.parse(last_at))}
          </option>
        ))}
      </select>
      <ConfirmButton
        sure={t('Forget all of it?')}
        disabled={name === ''}
        onConfirm={() => {
          onForget({ name });
          void poll.ask();
        }}
      >
        {t('Forget what was said there')}
      </ConfirmButton>
    </div>
  );
}

function forgottenWords(body: unknown): string {
  const count =
    typeof body === 'object' && body !== null && 'forgotten_turns' in body ? Number(body.forgotten_turns) : 0;
  if (count === 0) return t('There was nothing to forget.');
  return tCount(count, 'Forgotten: one question and its answer.', 'Forgotten: {n} questions and answers.');
}
