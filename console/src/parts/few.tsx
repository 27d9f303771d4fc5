import { useSignal } from '@preact/signals';

/** The first of many, and a button for the rest. */
export function useFew<T>(all: readonly T[], most: number, what: string) {
  const isWhole = useSignal(false);
  const shown = isWhole.value ? all : all.slice(0, most);
  const more = all.length - shown.length;
  const button = more > 0 && (
    <div>
      <button class="plain" type="button" onClick={() => (isWhole.value = true)}>
        Show {more} more<span class="visually-hidden"> {what}</span>
      </button>
    </div>
  );
  return { shown, button };
}
