import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { components } from '../../../../api/src/http/contract-types.ts';
import { t } from '../../language/translate.ts';
import type { Timer } from '../../live/ringing.ts';
import { onEscape } from '../../parts/on-escape.ts';
import { momentOf, wallWords } from '../../parts/words.ts';
import { type AlarmDay, AlarmDays, repetitionOf } from './alarm-days.tsx';

type Change = components['schemas']['TimerChange'];

interface EditTimerProps {
  timer: Timer;
  timeZone: string | undefined;
  /** Returns whether the change was accepted. */
  onSave: (change: Change) => Promise<boolean>;
  onClose: () => void;
}

/** Edits a timer, an alarm or a reminder in its place. Escape discards the changes. */
export function EditTimer({ timer, timeZone, onSave, onClose }: EditTimerProps) {
  const { label, room, kind } = timer;
  const when = useSignal(whenOf(timer, timeZone));
  const [name, place] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)];
  useLayoutEffect(() => name.current?.focus(), []);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const [newLabel, newRoom] = [textIn(name), textIn(place)];
    const change: Change = {
      ...(kind !== 'timer' && changeOf(whenOf(timer, timeZone), when.value, timeZone)),
      ...(newLabel !== label && { label: newLabel }),
      ...(newRoom !== room && { room: newRoom }),
    };
    if (Object.keys(change).length === 0 || (await onSave(change))) onClose();
  };
  return (
    <form class="edit-timer stack" onSubmit={(event) => void submit(event)} onKeyDown={onEscape(onClose)}>
      <label>
        {t('Name')}
        <input
          ref={name}
          maxLength={60}
          autocomplete="off"
          required={kind === 'reminder'}
          defaultValue={label ?? ''}
        />
      </label>
      <label>
        {t('Room')}
        <input
          ref={place}
          list="known-rooms"
          maxLength={100}
          autocomplete="off"
          placeholder={t('everywhere')}
          defaultValue={room ?? ''}
        />
      </label>
      {kind !== 'timer' && (
        <WhenFields when={when.value} onChange={(part) => (when.value = { ...when.value, ...part })} />
      )}
      <div class="row">
        <button class="primary" type="submit">
          {t('Save')}
        </button>
        <button type="button" onClick={onClose}>
          {t('Discard')}
        </button>
      </div>
    </form>
  );
}

const textIn = ({ current }: { current: HTMLInputElement | null }): string | null =>
  current?.value.trim() || null;

/** The time of an alarm as its fields hold it. */
interface When {
  date: string;
  time: string;
  /** Null: it does not repeat weekly, and an edit keeps its repetition. */
  days: readonly AlarmDay[] | null;
  until: string;
}

function whenOf({ due_at, repeats }: Timer, timeZone: string | undefined): When {
  const [date = '', time = ''] = wallWords(Date.parse(due_at), timeZone).split(' ');
  return { date, time: time.slice(0, 5), ...repetitionOf(repeats) };
}

/** The fields that differ. A one-time alarm is set by its moment, a repeating one by its time of day. */
function changeOf(before: When, { date, time, days, until }: When, timeZone: string | undefined): Change {
  const isSame = before.days?.join() === days?.join();
  if (days?.length === 0) {
    if (isSame && before.date === date && before.time === time) return {};
    return { due_at: momentOf(`${date}T${time}`, timeZone).toISOString() };
  }
  return {
    ...(before.time !== time && { time }),
    ...(!isSame && days && { days: [...days] }),
    ...(before.until !== until && { until: until || null }),
  };
}

function WhenFields({ when, onChange }: { when: When; onChange: (part: Partial<When>) => void }) {
  const { date, time, days, until } = when;
  const repeats = days === null || days.length > 0;
  return (
    <>
      {days !== null && (
        <AlarmDays
          label={t('Repeat every')}
          chosen={days}
          onChange={(chosen) => onChange({ days: chosen })}
        />
      )}
      <div class="row">
        {!repeats && (
          <label>
            {t('Date')}
            <input
              type="date"
              required
              value={date}
              onInput={({ currentTarget }) => onChange({ date: currentTarget.value })}
            />
          </label>
        )}
        <label>
          {t('Time')}
          <input
            type="time"
            required
            value={time}
            onInput={({ currentTarget }) => onChange({ time: currentTarget.value })}
          />
        </label>
        {repeats && (
          <label>
            {t('Last day, if any')}
            <input
              type="date"
              value={until}
              onInput={({ currentTarget }) => onChange({ until: currentTarget.value })}
            />
          </label>
        )}
      </div>
    </>
  );
}
