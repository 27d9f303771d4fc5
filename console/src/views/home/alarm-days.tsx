import type { components } from '../../../../api/src/http/contract-types.ts';
import { pageLocale } from '../../language/translate.ts';

export type AlarmDay = components['schemas']['AlarmDays'][number];

const allDays: readonly AlarmDay[] = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
/** A Monday. */
const mondayMs = Date.UTC(2024, 0, 1);
const dayMs = 24 * 3_600_000;

/** "Mon" in the page's language. */
const nameOf = (day: AlarmDay): string =>
  new Date(mondayMs + allDays.indexOf(day) * dayMs).toLocaleDateString(pageLocale(), {
    weekday: 'short',
    timeZone: 'UTC',
  });

interface AlarmDaysProps {
  label: string;
  chosen: readonly AlarmDay[];
  onChange: (days: readonly AlarmDay[]) => void;
}

/** The days of the week on which an alarm rings. Without a day, it rings once. */
export function AlarmDays({ label, chosen, onChange }: AlarmDaysProps) {
  const toggle = (day: AlarmDay, isOn: boolean): void =>
    onChange(allDays.filter((each) => (each === day ? isOn : chosen.includes(each))));
  return (
    <fieldset class="days">
      <legend class="quiet small">{label}</legend>
      {allDays.map((day) => (
        <label key={day}>
          <input
            type="checkbox"
            checked={chosen.includes(day)}
            onChange={({ currentTarget }) => toggle(day, currentTarget.checked)}
          />
          {nameOf(day)}
        </label>
      ))}
    </fieldset>
  );
}

/** Reads the days and the last day of a weekly recurrence rule. For other rules, the days are null. */
export function repetitionOf(rule: string | null): { days: readonly AlarmDay[] | null; until: string } {
  const [often = '', last] = (rule ?? '').split(';UNTIL=');
  const until = last?.replace(/^(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3') ?? '';
  return { days: daysOf(often), until };
}

function daysOf(rule: string): readonly AlarmDay[] | null {
  if (rule === '') return [];
  if (rule === 'FREQ=DAILY') return allDays;
  const days = /^FREQ=WEEKLY;BYDAY=([A-Z,]+)$/.exec(rule)?.[1]?.split(',');
  return days === undefined ? null : allDays.filter((day) => days.includes(day));
}
