import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import type { Timer } from '../../live/ringing.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { useFew } from '../../parts/few.tsx';
import { NotifyButton } from '../../parts/notify-button.tsx';
import { Loaded } from '../../parts/resource.tsx';
import { dueWords, whenWords } from '../../parts/timer-words.ts';
import { useNow } from '../talk/timers.tsx';
import { CancelledTimer, type TimerActions, TimerButtons, useTimerActions } from '../timer-buttons.tsx';
import { EditTimer } from './edit-timer.tsx';
import { SetTimer } from './set-timer.tsx';

/** Number of timers shown at first, soonest first. */
const fewTimers = 6;

/** Shown once a timer no longer runs. A state without words is shown as it is. */
const states: Readonly<Record<string, () => string>> = {
  paused: () => t('paused'),
  doing: () => t('running'),
  ringing: () => t('ringing'),
  missed: () => t('missed'),
};

/** Each kind as a title, and inside a sentence. */
const kinds: Readonly<Record<string, readonly [title: () => string, inside: () => string]>> = {
  timer: [() => t('Timer'), () => t('timer')],
  alarm: [() => t('Alarm'), () => t('alarm')],
  reminder: [() => t('Reminder'), () => t('reminder')],
  command: [() => t('Command|timer'), () => t('command')],
};
const titleOf = ({ kind }: Timer): string => kinds[kind]?.[0]() ?? kind;
const kindOf = ({ kind }: Timer): string => kinds[kind]?.[1]() ?? kind;

/** Lists the timers, alarms, reminders and scheduled commands of the household. */
export function PendingTimers({ house }: { house: House }) {
  const actions = useTimerActions(house);
  return (
    <section class="card stack" aria-labelledby="timers">
      <h2 id="timers">{t('Timers')}</h2>
      <ErrorText text={actions.trouble} />
      <CancelledTimer actions={actions} />
      <Loaded state={house.timers.state.value} what={t('timers|report')}>
        {({ timers = [] }) => (
          <>
            <Timers house={house} timers={timers} actions={actions} />
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

interface TimersProps {
  house: House;
  timers: readonly Timer[];
  actions: TimerActions;
}

function Timers({ house, timers, actions }: TimersProps) {
  const now = useNow(timers.length > 0);
  const { shown, button, search } = useFew(timers, fewTimers, t('timers|search'), { wordsOf });
  if (timers.length === 0) return <p class="quiet">{t('No timers are set.')}</p>;
  return (
    <>
      {search}
      <ul class="items">
        {shown.map((timer) => (
          <One key={timer.id} timer={timer} actions={actions} now={now} timeZone={house.timeZone.value} />
        ))}
      </ul>
      {button}
    </>
  );
}

const wordsOf = (timer: Timer): string => [timer.label, titleOf(timer), timer.room].join(' ');

interface OneProps {
  timer: Timer;
  actions: TimerActions;
  now: number;
  timeZone: string | undefined;
}

function One({ timer, actions, now, timeZone }: OneProps) {
  const { kind, label, room, due_at, remaining_seconds, state, repeats } = timer;
  const dueAtMs = Date.parse(due_at);
  const pausedMs = state === 'paused' ? remaining_seconds * 1_000 : null;
  const next = repeats === null || state !== 'running' ? null : dueWords(dueAtMs, now, timeZone);
  const details = [
    label === null ? null : kindOf(timer),
    room === null ? null : t('in {room}|timer', { room }),
    state === 'running' ? null : (states[state]?.() ?? state),
    next === null ? null : t('next {time}', { time: next }),
  ].filter((each) => each !== null);
  const isEditing = useSignal(false);
  const line = useRef<HTMLLIElement>(null);
  const canEdit = state === 'running' && kind !== 'command';
  if (isEditing.value && canEdit)
    return (
      <li class="timer" ref={line} tabIndex={-1}>
        <EditTimer
          timer={timer}
          timeZone={timeZone}
          onSave={(change) => actions.change(timer.id, change)}
          onClose={() => {
            isEditing.value = false;
            // Move the keyboard focus, because the form is gone.
            line.current?.focus({ preventScroll: true });
          }}
        />
      </li>
    );
  return (
    <li class="timer" ref={line} tabIndex={-1}>
      <span class="words">
        {label ?? titleOf(timer)}
        <br />
        <span class="quiet small">{details.join(', ')}</span>
      </span>
      <span role="timer">{whenWords({ dueAtMs, pausedMs, repeats }, now, timeZone)}</span>
      <span class="row">
        <TimerButtons timer={timer} actions={actions} />
        {canEdit && (
          <button class="plain" type="button" onClick={() => (isEditing.value = true)}>
            {t('Edit')}
            <span class="visually-hidden"> {label ?? kindOf(timer)}</span>
          </button>
        )}
      </span>
    </li>
  );
}
