import type { Field } from './form.ts';

interface Basic {
  /** The name that people use. */
  label: string;
  /** The control, unless the field's kind decides it. */
  control?: 'slider' | 'time';
}

/** The settings that everybody understands. */
const basics: Readonly<Record<string, Basic>> = {
  names: { label: 'Name' },
  voice: { label: 'Voice' },
  speed: { label: 'Speed', control: 'slider' },
  patience: { label: 'Patience', control: 'slider' },
  quiet_from: { label: 'From', control: 'time' },
  quiet_to: { label: 'Until', control: 'time' },
};

/** The first cards of the settings, and their fields. */
const cards: Readonly<Record<string, readonly string[]>> = {
  'Name and voice': ['names', 'voice'],
  'Speed and patience': ['speed', 'patience'],
  'Quiet hours': ['quiet_from', 'quiet_to'],
};

export function basicOf({ key }: Pick<Field, 'key'>): Basic | undefined {
  return Object.hasOwn(basics, key) ? basics[key] : undefined;
}

type Group = readonly [title: string, fields: readonly Field[]];

/** The fields in the cards for everybody, and the groups of the others. */
export function grouped(fields: readonly Field[]): { basic: readonly Group[]; advanced: readonly Group[] } {
  const basic = Object.entries(cards).flatMap(([title, keys]): Group[] => {
    const found = keys.flatMap((key) => fields.find((field) => field.key === key) ?? []);
    return found.length === 0 ? [] : [[title, found]];
  });
  const others = fields.filter((field) => basicOf(field) === undefined);
  return { basic, advanced: [...Map.groupBy(others, ({ group }) => group)] };
}
