import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { useResource } from '../../parts/resource.tsx';
import { labelIn } from '../../settings/basics.ts';

const slowIntervalMs = 60_000;
const maxShown = 10;

/** The latest changes. */
export function History({ house }: { house: House }) {
  const { timeWords } = useHouseholdTimes();
  const { state } = useResource<components['schemas']['PipelineHistory']>(
    house,
    '/admin/pipeline/history',
    slowIntervalMs,
  );
  const changes = state.value.value?.changes ?? [];
  const { fields } = house.settings.form;
  const nameOf = (key: string) =>
    labelIn(fields.value.find((field) => field.key === key) ?? { key, label: key });
  if (changes.length === 0) return null;
  return (
    <section class="card" aria-labelledby="history">
      <h2 id="history">Recent changes</h2>
      <ul class="items">
        {changes.slice(0, maxShown).map(({ revision, at, changes: all }) => (
          <li key={revision}>
            <span class="words">
              {Object.entries(all)
                .map(([key, { from, to }]) => `${nameOf(key)}: ${short(from)} → ${short(to)}`)
                .join(', ')}
            </span>
            <span class="quiet small">{timeWords(at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function short(value: unknown): string {
  const text = wordsOf(value);
  return text.length > 60 ? `${text.slice(0, 60)} …` : text;
}

function wordsOf(value: unknown): string {
  if (value === null || value === '') return 'none';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return value.join(', ') || 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
