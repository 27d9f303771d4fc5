import { t } from '../language/translate.ts';
import type { Notifier } from '../live/notifier.ts';

/** Asks the browser for permission to notify. Shown only until the person has decided. */
export function NotifyButton({ notifier }: { notifier: Notifier }) {
  if (notifier.permission.value !== 'default') return null;
  return (
    <button class="plain small" type="button" onClick={() => void notifier.ask()}>
      {t('Notify me when it rings')}
    </button>
  );
}
