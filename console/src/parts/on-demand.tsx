import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { t } from '../language/translate.ts';

/**
 * Loads code when it is needed. While the server is away, `failure` says that it is missing and offers to try
 * again. `what` is its name in that sentence, in the page's language: "The QR code".
 */
export function useOnDemand<T>(what: string, imports: () => Promise<T>) {
  const loaded = useSignal<T | null>(null);
  const isFailed = useSignal(false);
  const isLoading = useRef(false);
  const load = async (): Promise<void> => {
    if (isLoading.current || loaded.value !== null) return;
    isLoading.current = true;
    try {
      loaded.value = await imports();
      isFailed.value = false;
    } catch {
      isFailed.value = true;
    } finally {
      isLoading.current = false;
    }
  };
  const failure = isFailed.value && (
    <div class="note row spread" role="status">
      <p>{t('{what} could not be loaded.', { what })}</p>
      <button type="button" onClick={() => void load()}>
        {t('Try again')}
      </button>
    </div>
  );
  return { loaded, load, failure };
}
