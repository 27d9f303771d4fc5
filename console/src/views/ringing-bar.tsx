import type { House } from '../house.ts';
import { t } from '../language/translate.ts';
import type { Timer } from '../live/ringing.ts';
import { Icon } from '../parts/icon.tsx';
import { kindWords, ringWords } from '../parts/words.ts';
import { type TimerActions, useTimerActions } from './timer-buttons.tsx';

/** Shows all ringing timers of the household above the rest of the page. */
export function RingingBar({ house }: { house: House }) {
  const { rings } = house.ringing;
  if (rings.value.length === 0) return null;
  return (
    <section class="ringing" aria-label={t('Ringing')}>
      <ul>
        {rings.value.map((ring) => (
          <Ring key={ring.id} ring={ring} house={house} />
        ))}
      </ul>
    </section>
  );
}

function Ring({ ring, house }: { ring: Timer; house: House }) {
  const { id, kind, label, room } = ring;
  const actions = useTimerActions(house);
  const stopping = house.ringing.stopping.value.get(id);
  return (
    <li>
      <Icon name="timer" />
      <p class="words" role="alert">
        <b>{ringWords(ring)}</b>, {room ?? t('everywhere')}
        {stopping?.isAsked === false && (
          <span class="why">
            {t('It is still ringing.')} {stopping.why}
          </span>
        )}
        {actions.trouble.value !== '' && <span class="why">{actions.trouble}</span>}
      </p>
      <Later ring={ring} actions={actions} />
      <button type="button" disabled={stopping?.isAsked === true} onClick={() => void house.ringing.stop(id)}>
        {t('Stop')}
        <span class="visually-hidden"> {label ?? kindWords(kind)}</span>
      </button>
    </li>
  );
}

/** A timer gets one more minute. Alarms and reminders get the length of a snooze. */
const laterSeconds = { timer: 60, snooze: 300 } as const;

/** Makes a timer ring later. Alarms that repeat ring again at their next time. */
function Later({ ring: { id, kind, label, repeats }, actions }: { ring: Timer; actions: TimerActions }) {
  if (repeats !== null) return null;
  const isTimer = kind === 'timer';
  const seconds = isTimer ? laterSeconds.timer : laterSeconds.snooze;
  return (
    <button type="button" onClick={() => actions.change(id, { more_seconds: seconds })}>
      {isTimer ? t('+ 1 min') : t('Snooze 5 min')}
      <span class="visually-hidden"> {label ?? kindWords(kind)}</span>
    </button>
  );
}
