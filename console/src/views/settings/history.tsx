import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { useHouseholdTimes } from '../../parts/household-times.ts';
import { useResource } from '../../parts/resource.tsx';
import { bodyOf } from '../../server/shapes.ts';
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
      <h2 id="history">{t('Recent changes')}</h2>
      <ul class="items">
        {changes.slice(0, maxShown).map(({ revision, at, changes: all }) => (
          <li key={revision}>
            <span class="words">
              {Object.entries(all)
                .map(([key, change]) => `${nameOf(key)}: ${changeWords(change)}`)
                .join(', ')}
            </span>
            <span class="quiet small">{timeWords(at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** A change inside of an entry, such as a step of a routine, keeps the names of the entries. */
function changeWords({ from, to }: { from?: unknown; to?: unknown }): string {
  const [before, after] = [short(from), short(to)];
  return before === after ? t('changed') : `${before} → ${after}`;
}

function short(value: unknown): string {
  const text = wordsOf(value);
  return text.length > 60 ? `${text.slice(0, 60)} …` : text;
}

function wordsOf(value: unknown): string {
  if (value === null || value === '') return t('none|value');
  if (typeof value === 'boolean') return value ? t('on|setting') : t('off|setting');
  if (Array.isArray(value)) return value.map(entryName).join(', ') || t('none|value');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The entries of a list are words, or have a name: routines, tool servers. */
function entryName(entry: unknown): string {
  return bodyOf<{ name: string }>(entry).name ?? String(entry);
}
