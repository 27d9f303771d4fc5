import type { Field } from './form.ts';

interface Basic {
  /** The label. */
  label: string;
  /** Replaces the description of the contract, which has every detail. */
  hint: string;
  /** The control; undefined: the kind of the field decides. */
  control?: 'slider' | 'time' | 'zone';
}

/** The settings for everybody. */
const basics: Readonly<Record<string, Basic>> = {
  names: {
    label: 'Name',
    hint: 'In the mode “By name”, begin or end your sentence with it. One name on each line.',
  },
  language: {
    label: 'Language',
    hint: 'A new language applies after a restart. To speak several, set `HEARTH_LANGUAGE=de,en` in `.env`.',
  },
  voice: { label: 'Voice', hint: 'More voices are under “For experts”.' },
  speed: { label: 'Speed', hint: 'How fast the voice speaks.', control: 'slider' },
  patience: {
    label: 'Patience',
    hint: 'How long Hearth waits when you pause in the middle of a sentence.',
    control: 'slider',
  },
  time_zone: {
    label: 'Time zone',
    hint: 'The clock and the alarms follow it. A new one applies after a restart.',
    control: 'zone',
  },
  quiet_from: {
    label: 'From',
    hint: 'In the quiet hours only alarms ring, and timers in the room that set them.',
    control: 'time',
  },
  quiet_to: { label: 'Until', hint: 'There are no quiet hours unless you set both times.', control: 'time' },
};

/** The labels of the other settings. The default label comes from the key. */
const labels: Readonly<Record<string, string>> = {
  persona: 'Character',
  memory_turns: 'Remembered questions',
  memory_days: 'Remembered days',
  memory_mb: 'Memory for conversations',
  hints: 'Names and words of your home',
  name_spellings: 'Other spellings of the names',
  end_silence_ms: 'Silence that ends a sentence',
  speculates: 'Begin the answer at a short pause',
  ends_early: 'Answer complete sentences sooner',
  waits_for_more: 'Wait for the rest of a sentence',
  partials_every_ms: 'Transcribe while you speak, every',
  reply_tokens: 'Longest answer',
  tools: 'Tools for the language model',
  mcp_confirms: 'Ask before an MCP tool changes something',
  rooms: 'Names of your rooms',
  devices: 'Names of things in your home',
  home_lists: 'Lists of Home Assistant',
  filler_after_ms: 'Fill a long wait after',
  ring_minutes: 'A timer rings for',
  log_words: 'Words of people in the log',
  check_at: 'Time of the nightly check',
  backup_at: 'Time of the nightly backup',
  // Other cards of the page change these.
  default_list: 'Default list',
  routines: 'Routines',
};

export const labelIn = (field: Pick<Field, 'key' | 'label'>): string =>
  basicOf(field)?.label ?? labels[field.key] ?? field.label;

/** The first cards of the settings, and their fields. */
const cards: Readonly<Record<string, readonly string[]>> = {
  'Name and voice': ['names', 'language', 'voice'],
  'Speed and patience': ['speed', 'patience'],
  'Time and quiet hours': ['time_zone', 'quiet_from', 'quiet_to'],
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

/** Whether a search finds a setting by words of its name, its key, its group or its meaning. */
export function isFoundBy(wanted: string, field: Pick<Field, 'key' | 'label' | 'group' | 'hint'>): boolean {
  const text = [labelIn(field), field.key, field.group, field.hint].join(' ');
  return spaced(text).includes(spaced(wanted).trimEnd());
}

/** In lower case, with a space before each word. */
const spaced = (text: string): string => ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`;
