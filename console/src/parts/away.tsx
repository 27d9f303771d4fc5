import type { House } from '../house.ts';
import { t } from '../language/translate.ts';

/** Shown once, above all data from the server. */
export function Away({ house }: { house: House }) {
  if (!house.reach.isLost.value) return null;
  return (
    <div class="note ill away row spread">
      <p>{t('Trying to reach Hearth again. This view may be out of date.')}</p>
      <button type="button" onClick={house.reach.again.tell}>
        {t('Try now')}
      </button>
    </div>
  );
}
