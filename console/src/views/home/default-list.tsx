import { useId } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { useChanges } from '../../parts/change.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { useResource } from '../../parts/resource.tsx';

const intervalMs = 15_000;

interface DefaultListProps {
  house: House;
  lists: readonly Pick<components['schemas']['List'], 'name'>[];
}

/** Chooses the list for sentences that name none. It may be one of Home Assistant. */
export function DefaultList({ house, lists }: DefaultListProps) {
  const id = useId();
  const poll = useResource<components['schemas']['PipelineState']>(house, '/admin/pipeline', intervalMs);
  const { trouble, change } = useChanges(house, poll);
  const { values } = poll.state.value.value ?? {};
  if (!values) return null;
  const chosen = values.default_list ?? '';
  const names = new Set([...(chosen === '' ? [] : [chosen]), ...lists.map(({ name }) => name)]);
  return (
    <div class="default-list">
      <label for={id}>{t('Default list')}</label>
      <select
        id={id}
        value={chosen}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget: { value } }) =>
          void change('/admin/pipeline', { method: 'PATCH', body: { default_list: value || null } })
        }
      >
        <option value="">{t('as usual: the shopping list')}</option>
        {[...names].map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
      <p id={`${id}-hint`} class="quiet small">
        {t('“Put milk on the list” then means this list, and so does “the shopping list” if there is none.')}
      </p>
      <ErrorText text={trouble} />
    </div>
  );
}
