import { useSignal } from '@preact/signals';
import type { House } from '../../house.ts';
import type { Timer } from '../../live/ringing.ts';
import { NotifyButton } from '../../parts/notify-button.tsx';
import { Loaded } from '../../parts/resource.tsx';
import { clockWords, minuteWords } from '../../parts/words.ts';
import { sentenceOf } from '../../server/call.ts';
import { useNow } from '../talk/timers.tsx';
import { SetTimer } from './set-timer.tsx';

/** Shown in place of the time once it has come. */
const stateWords = {
  paused: 'Paused',
  doing: 'It is being done',
  ringing: 'It rings',
  missed: 'Nobody heard it',
} as const;

/** The timers, alarms, reminders and commands for later of the whole house. */
export function PendingTimers({ house }: { house: House }) {
  const trouble = useSignal('');
  const cancel = async (id: string): Promise<void> => {
    try {
      await house.caller.call(`/admin/timers/${encodeURIComponent(id)}`, { method: 'DELETE' });
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    await house.timers.ask();
  };
  return (
    <section class="card stack" aria-labelledby="timers">
      <h2 id="timers">Timers</h2>
      <p class="wrong" role="alert">
        {trouble}
      </p>
      <Loaded state={house.timers.state.value} what="timers">
        {({ timers = [] }) => (
          <>
            <Timers timers={timers} onCancel={(id) => void cancel(id)} />
            {timers.length > 0 && (
              <div>
                <NotifyButton notifier={house.notifier} />
              </div>
            )}
          </>
        )}
      </Loaded>
      <SetTimer house={house} />
    </section>
  );
}

function Timers({ timers, onCancel }: { timers: readonly Timer[]; onCancel: (id: string) => void }) {
  const now = useNow(timers.length > 0);
  if (timers.length === 0) return <p class="quiet">None is set.</p>;
  return (
    <ul class="items">
      {timers.map(({ id, kind, label, room, due_at, remaining_seconds, state, repeats }) => (
        <li key={id}>
          <span class="words">
            {label ?? kind}
            {room !== null && <span class="quiet small"> in {room}</span>}
            <br />
            <span class="quiet small">
              {state === 'running'
                ? `${repeats ? 'repeats, next ' : ''}at ${minuteWords(Date.parse(due_at))}`
                : stateWords[state]}
            </span>
          </span>
          <span class="row">
            <span role="timer">
              {clockWords(state === 'paused' ? remaining_seconds * 1_000 : Date.parse(due_at) - now)}
            </span>
            <button type="button" onClick={() => onCancel(id)}>
              Cancel<span class="visually-hidden"> {label ?? kind}</span>
            </button>
          </span>
        </li>
      ))}
    </ul>
  );
}
