import { useSignal } from '@preact/signals';

/** The first of many, and a button for the rest. */
export function useFew<T>(all: readonly T[], max: number, what: string) {
  const isWhole = useSignal(false);
  const shown = isWhole.value ? all : all.slice(0, max);
  const more = all.length - shown.length;
  const showAll = (): void => {
    isWhole.value = true;
  };
  const button = more > 0 && (
    <div>
      <button class="plain" type="button" onClick={showAll}>
        Show {more} more<span class="visually-hidden"> {what}</span>
      </button>
    </div>
  );
  return { shown, button, showAll };
}
