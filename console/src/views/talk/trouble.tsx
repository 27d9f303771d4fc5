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
            OK
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
        <p>Another page with the same name has taken over. Only one at a time can talk.</p>
        <button type="button" onClick={talk.connect}>
          Talk here
        </button>
      </div>
    );
  }
  if (state.kind === 'refused') {
    return (
      <div class="note ill row spread" role="alert">
        <p>{state.why}</p>
        <button type="button" onClick={talk.connect}>
          Try again
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
        <span aria-hidden="true">{seconds > 0 ? `Trying again in ${seconds} s.` : 'Trying again.'}</span>
      </p>
      <button type="button" onClick={talk.wake}>
        Now
      </button>
    </div>
  );
}
