import type { Field } from './form.ts';

interface Basic {
  /** Its name for people. */
  label: string;
  /** How it is set, where the field's kind does not say that. */
  control?: 'slider' | 'time';
}

/** The settings that everybody understands, in the order in which they are shown first. */
const basics: Readonly<Record<string, Basic>> = {
  names: { label: 'Its name' },
  voice: { label: 'Voice' },
  speed: { label: 'Speed', control: 'slider' },
  patience: { label: 'Patience' },
  quiet_from: { label: 'Quiet hours from', control: 'time' },
  quiet_to: { label: 'Quiet hours until', control: 'time' },
  memory_days: { label: 'How long it remembers' },
};

export function basicOf({ key }: Pick<Field, 'key'>): Basic | undefined {
  return Object.hasOwn(basics, key) ? basics[key] : undefined;
}

/** The fields that everybody understands, and the others. */
export function sorted(fields: readonly Field[]): { basic: readonly Field[]; advanced: readonly Field[] } {
  const basic = Object.keys(basics).flatMap((key) => fields.find((field) => field.key === key) ?? []);
  return { basic, advanced: fields.filter((field) => !basic.includes(field)) };
}
