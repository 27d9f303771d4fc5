import { useSignal } from '@preact/signals';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import type { Timer } from '../../live/ringing.ts';
import { useFew } from '../../parts/few.tsx';
import { NotifyButton } from '../../parts/notify-button.tsx';
import { Loaded } from '../../parts/resource.tsx';
import { clockWords, minuteWords } from '../../parts/words.ts';
import { sentenceOf } from '../../server/call.ts';
import { useNow } from '../talk/timers.tsx';
import { SetTimer } from './set-timer.tsx';

type Change = components['schemas']['TimerChange'];

interface Deeds {
  cancel: (id: string) => void;
  change: (id: string, change: Change) => void;
}

/** So many are shown at first; the next ones come first. */
const fewTimers = 6;

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
  const does = async (id: string, method: 'DELETE' | 'PATCH', body?: Change): Promise<void> => {
    try {
      await house.caller.call(`/admin/timers/${encodeURIComponent(id)}`, { method, body });
      trouble.value = '';
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    await house.timers.ask();
  };
  const { name: client } = house.keeper.device.value;
  const deeds: Deeds = {
    cancel: (id) => void does(id, 'DELETE'),
    change: (id, change) => void does(id, 'PATCH', { ...change, client }),
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
            <Timers timers={timers} deeds={deeds} />
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

function Timers({ timers, deeds }: { timers: readonly Timer[]; deeds: Deeds }) {
  const now = useNow(timers.length > 0);
  const { shown, button } = useFew(timers, fewTimers, 'timers');
  if (timers.length === 0) return <p class="quiet">None is set.</p>;
  return (
    <>
      <ul class="items">
        {shown.map((timer) => (
          <One key={timer.id} timer={timer} deeds={deeds} now={now} />
        ))}
      </ul>
      {button}
    </>
  );
}

function One({ timer, deeds, now }: { timer: Timer; deeds: Deeds; now: number }) {
  const { kind, label, room, due_at, remaining_seconds, state } = timer;
  return (
    <li class="timer">
      <span class="words">
        {label ?? kind}
        {room !== null && <span class="quiet small"> in {room}</span>}
        <br />
        <span class="quiet small">{standing(timer)}</span>
      </span>
      <span role="timer">
        {clockWords(state === 'paused' ? remaining_seconds * 1_000 : Date.parse(due_at) - now)}
      </span>
      <Buttons timer={timer} deeds={deeds} />
    </li>
  );
}

function Buttons({ timer, deeds }: { timer: Timer; deeds: Deeds }) {
  const { id, kind, label, state, repeats } = timer;
  const name = <span class="visually-hidden"> {label ?? kind}</span>;
  const isPaused = state === 'paused';
  const mayWait = kind === 'timer' && (isPaused || state === 'running');
  const mayBeLonger = repeats === null && ['running', 'paused', 'ringing'].includes(state);
  return (
    <span class="row">
      {mayBeLonger && (
        <button type="button" onClick={() => deeds.change(id, { more_seconds: 60 })}>
          + 1 min{name}
        </button>
      )}
      {mayWait && (
        <button type="button" onClick={() => deeds.change(id, { paused: !isPaused })}>
          {isPaused ? 'Go on' : 'Pause'}
          {name}
        </button>
      )}
      <button type="button" onClick={() => deeds.cancel(id)}>
        Cancel{name}
      </button>
    </span>
  );
}

function standing({ state, repeats, due_at }: Timer): string {
  if (state !== 'running') return stateWords[state];
  return `${repeats === null ? '' : 'repeats, next '}at ${minuteWords(Date.parse(due_at))}`;
}
