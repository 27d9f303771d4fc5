import { useSignal } from '@preact/signals';
import { t } from '../language/translate.ts';

/** Default length above which a list gets a search field. */
const maxWithoutSearch = 20;
/** Number of further entries that one press shows: a phone takes seconds to draw hundreds at once. */
export const entriesPerPress = 50;

interface FewSearch<T> {
  /** The words to search in. */
  wordsOf: (one: T) => string;
  /** Number of things to search, if it differs from the number of entries. */
  size?: number;
  maxWithout?: number;
}

/**
 * The first entries of a list, and a button for more. `what` names the entries in the page's language.
 * `wanted` is the search text in lower case.
 */
export function useFew<T>(all: readonly T[], max: number, what: string, searched?: FewSearch<T>) {
  const limit = useSignal(max);
  const text = useSignal('');
  const wanted = text.value.trim().toLowerCase();
  const isFound = (one: T): boolean => searched?.wordsOf(one).toLowerCase().includes(wanted) ?? true;
  const found = wanted === '' ? all : all.filter(isFound);
  const shown = found.slice(0, wanted === '' ? limit.value : Math.max(limit.value, entriesPerPress));
  const more = found.length - shown.length;
  const button = more > 0 && (
    <div>
      <button class="plain" type="button" onClick={() => (limit.value = shown.length + entriesPerPress)}>
        {t('Show {n} more', { n: Math.min(entriesPerPress, more) })}
        <span class="visually-hidden"> {what}</span>
      </button>
    </div>
  );
  const isLong =
    searched !== undefined && (searched.size ?? all.length) > (searched.maxWithout ?? maxWithoutSearch);
  const search = (isLong || wanted !== '') && (
    <>
      <input
        class="search"
        type="search"
        aria-label={t('Search {what}', { what })}
        placeholder={t('Search')}
        maxLength={100}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
      {found.length === 0 && <p class="quiet">{t('Nothing was found.')}</p>}
    </>
  );
  return { shown, button, search, wanted, showAll: () => (limit.value = Number.POSITIVE_INFINITY) };
}
