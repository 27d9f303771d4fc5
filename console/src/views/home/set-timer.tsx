import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { ErrorText } from '../../parts/error-text.tsx';
import { useResource } from '../../parts/resource.tsx';
import { whenWords } from '../../parts/timer-words.ts';
import { momentOf } from '../../parts/words.ts';
import { sentenceOf } from '../../server/call.ts';
import { bodyOf } from '../../server/shapes.ts';
import { type AlarmDay, AlarmDays } from './alarm-days.tsx';

type NewTimer = components['schemas']['NewTimer'];
type OneTimer = components['schemas']['OneTimer'];
type Known = components['schemas']['Satellites'];

const usualMinutes = [1, 5, 10, 15, 30, 60] as const;
const maxCharacters = 60;
const maxMinutes = 24 * 60;
const roomsEveryMs = 60_000;

/** Sets timers, alarms and reminders by hand. They ring in this device's room by default. */
export function SetTimer({ house }: { house: House }) {
  const [trouble, status] = [useSignal(''), useSignal('')];
  const name = useRef<HTMLInputElement>(null);
  const place = useRef<HTMLInputElement>(null);
  const days = useSignal<readonly AlarmDay[]>([]);
  const confirmed = useConfirmed(house, () => (status.value = ''));
  const { name: client, room: own } = house.keeper.device.value;
  const set = async (
    timer: Pick<NewTimer, 'kind' | 'duration_seconds' | 'due_at' | 'time' | 'days'>,
  ): Promise<boolean> => {
    const room = place.current?.value.trim() ?? '';
    const label = name.current?.value.trim() || null;
    status.value = '';
    try {
      const body = { ...timer, label, client, ...(room !== '' && { room }) } satisfies NewTimer;
      const answer = await house.caller.call('/admin/timers', { body });
      trouble.value = '';
      const made = bodyOf<OneTimer>(answer.body);
      status.value = setWords(made, house.timeZone.value);
      confirmed.current = made.timer && { id: made.timer.id, wasListed: false };
      // Text typed since then belongs to the next one.
      if (name.current && (name.current.value.trim() || null) === label) name.current.value = '';
      if (place.current?.value.trim() === room) place.current.value = own;
    } catch (error) {
      trouble.value = sentenceOf(error);
    }
    await house.timers.ask();
    return trouble.value === '';
  };
  const remind = async ({ value }: HTMLInputElement): Promise<boolean> => {
    const due_at = momentOf(value, house.timeZone.value).toISOString();
    if (name.current?.value.trim()) return set({ kind: 'reminder', due_at });
    trouble.value = t('Enter the reminder text in the first field.');
    name.current?.focus();
    return false;
  };
  const wake = async ({ value }: HTMLInputElement): Promise<boolean> => {
    const repeats = days.value.length > 0 && { days: [...days.value] };
    const isSet = await set({ kind: 'alarm', time: value, ...repeats });
    if (isSet) days.value = [];
    return isSet;
  };
  const start = (minutes: number) => set({ kind: 'timer', duration_seconds: Math.round(minutes * 60) });

  return (
    <fieldset class="stack set-timer" aria-label={t('Set a timer')}>
      <ErrorText text={trouble} />
      <input
        ref={name}
        aria-label={t('Name, if it needs one')}
        placeholder={t('Name, or what to remind you of')}
        maxLength={maxCharacters}
        autocomplete="off"
      />
      <label class="row where">
        {t('Rings in')}
        <input
          ref={place}
          list="known-rooms"
          placeholder={t('every room')}
          maxLength={100}
          autocomplete="off"
          defaultValue={own}
        />
      </label>
      <KnownRooms house={house} />
      <ul class="row" aria-label={t('Common timers')}>
        {usualMinutes.map((minutes) => (
          <li key={minutes}>
            <button type="button" onClick={() => void start(minutes)}>
              {minutes === 60 ? t('1 hour') : t('{n} min', { n: minutes })}
            </button>
          </li>
        ))}
      </ul>
      <div class="row">
        <One
          label={t('Minutes of a timer')}
          type="number"
          words={t('Set timer')}
          onSet={(field) => start(field.valueAsNumber)}
        />
        <One label={t('Time of a reminder')} type="datetime-local" words={t('Set reminder')} onSet={remind} />
        <One label={t('Time of an alarm')} type="time" words={t('Set alarm')} onSet={wake} />
      </div>
      <AlarmDays
        label={t('Repeat the alarm every')}
        chosen={days.value}
        onChange={(chosen) => (days.value = chosen)}
      />
      <p class="well words" role="status">
        {status}
      </p>
    </fieldset>
  );
}

/** The timer that was set last. `onGone` is called once it no longer exists. */
function useConfirmed(house: House, onGone: () => void) {
  const confirmed = useRef<{ id: string; wasListed: boolean } | undefined>(undefined);
  const { timers = [] } = house.timers.state.value.value ?? {};
  useEffect(() => {
    const { current } = confirmed;
    if (current === undefined) return;
    const isListed = timers.some(({ id }) => id === current.id);
    if (current.wasListed && !isListed) onGone();
    confirmed.current = current.wasListed && !isListed ? undefined : { ...current, wasListed: isListed };
  }, [timers]);
  return confirmed;
}

/** "Alarm set: school, 7:30 AM, weekdays." The list may not show a timer that is due late. */
function setWords({ timer }: Partial<OneTimer>, timeZone: string | undefined): string {
  if (timer === undefined) return '';
  const { kind, label, due_at: dueAt, repeats } = timer;
  const when = whenWords({ dueAtMs: Date.parse(dueAt), pausedMs: null, repeats }, Date.now(), timeZone);
  const what = label === null ? when : `${label}, ${when}`;
  if (kind === 'alarm') return t('Alarm set: {what}.', { what });
  return kind === 'reminder' ? t('Reminder set: {what}.', { what }) : t('Timer set: {what}.', { what });
}

/** The rooms of the satellites, as suggestions. A token that may only talk cannot read them. */
function KnownRooms({ house }: { house: House }) {
  const { state } = useResource<Known>(house, '/admin/satellites', roomsEveryMs);
  const rooms = new Set(state.value.value?.satellites?.flatMap(({ room }) => room ?? []));
  return (
    <datalist id="known-rooms">
      {[...rooms].toSorted().map((room) => (
        <option key={room} value={room} />
      ))}
    </datalist>
  );
}

interface OneProps {
  label: string;
  type: 'number' | 'time' | 'datetime-local';
  words: string;
  onSet: (field: HTMLInputElement) => Promise<boolean>;
}

function One({ label, type, words, onSet }: OneProps) {
  const field = useRef<HTMLInputElement>(null);
  const limits =
    type === 'number' ? { min: '0.1', max: maxMinutes, step: 'any', placeholder: t('minutes') } : {};
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const { current: input } = field;
    if (input !== null && (await onSet(input))) input.value = '';
  };
  return (
    <form class="typing" onSubmit={(event) => void submit(event)}>
      <input ref={field} type={type} aria-label={label} required {...limits} />
      <button class="wide" type="submit">
        {words}
      </button>
    </form>
  );
}
