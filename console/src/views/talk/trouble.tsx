import { t } from '../../language/translate.ts';
import type { Talk } from '../../live/talk.ts';
import { useNow } from './timers.tsx';

/** Obstacles to talking, and advice about them. */
export function Trouble({ talk }: { talk: Talk }) {
  const { trouble } = talk;
  return (
    <div class="talk-trouble">
      <Line talk={talk} />
      {trouble.value !== null && (
        <div class="note ill row spread" role="alert">
          <p>{trouble.value}</p>
          <button type="button" onClick={() => (trouble.value = null)}>
            {t('OK')}
          </button>
        </div>
      )}
    </div>
  );
}

function Line({ talk }: { talk: Talk }) {
  const state = talk.live.value;
  const now = useNow(state.kind === 'waiting');
  if (state.kind === 'replaced') {
    return (
      <div class="note row spread" role="status">
        <p>{t('Another page with the same name has taken over. Only one at a time can talk.')}</p>
        <button type="button" onClick={talk.connect}>
          {t('Talk here')}
        </button>
      </div>
    );
  }
  if (state.kind === 'refused') {
    return (
      <div class="note ill row spread" role="alert">
        <p>{state.why}</p>
        <button type="button" onClick={talk.connect}>
          {t('Try again')}
        </button>
      </div>
    );
  }
  if (state.kind !== 'waiting') return null;
  const seconds = Math.max(0, Math.ceil((state.retryAtMs - now) / 1_000));
  return (
    <div class="note row spread" role="status">
      <p>
        {state.why}{' '}
        <span aria-hidden="true">
          {seconds > 0 ? t('Trying again in {n} s.', { n: seconds }) : t('Trying again.')}
        </span>
      </p>
      <button type="button" onClick={talk.wake}>
        {t('Now')}
      </button>
    </div>
  );
}
