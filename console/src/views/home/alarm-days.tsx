import type { components } from '../../../../api/src/http/contract-types.ts';

export type AlarmDay = components['schemas']['AlarmDays'][number];

const week: readonly (readonly [AlarmDay, string])[] = [
  ['MO', 'Mon'],
  ['TU', 'Tue'],
  ['WE', 'Wed'],
  ['TH', 'Thu'],
  ['FR', 'Fri'],
  ['SA', 'Sat'],
  ['SU', 'Sun'],
];
const allDays = week.map(([day]) => day);

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
      {week.map(([day, words]) => (
        <label key={day}>
          <input
            type="checkbox"
            checked={chosen.includes(day)}
            onChange={({ currentTarget }) => toggle(day, currentTarget.checked)}
          />
          {words}
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
