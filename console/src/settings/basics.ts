import { t } from '../language/translate.ts';
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
const basics: Readonly<Record<string, () => Basic>> = {
  names: () => ({
    label: t('Name'),
    hint: t('In the mode “By name”, begin or end your sentence with it. One name on each line.'),
  }),
  language: () => ({
    label: t('Language'),
    hint: t(
      'A new language applies after a restart. To speak several, set `HEARTH_LANGUAGE=de,en` in `.env`.',
    ),
  }),
  voice: () => ({ label: t('Voice'), hint: t('More voices are under “For experts”.') }),
  speed: () => ({ label: t('Speed'), hint: t('How fast the voice speaks.'), control: 'slider' }),
  patience: () => ({
    label: t('Patience'),
    hint: t('How long Hearth waits when you pause in the middle of a sentence.'),
    control: 'slider',
  }),
  time_zone: () => ({
    label: t('Time zone'),
    hint: t('The clock and the alarms follow it. A new one applies after a restart.'),
    control: 'zone',
  }),
  quiet_from: () => ({
    label: t('From|quiet hours'),
    hint: t('In the quiet hours only alarms ring, and timers in the room that set them.'),
    control: 'time',
  }),
  quiet_to: () => ({
    label: t('Until|quiet hours'),
    hint: t('There are no quiet hours unless you set both times.'),
    control: 'time',
  }),
};

/** The labels of the other settings. The default label comes from the key. */
const labels: Readonly<Record<string, () => string>> = {
  persona: () => t('Character'),
  memory_turns: () => t('Remembered questions'),
  memory_days: () => t('Remembered days'),
  memory_mb: () => t('Memory for conversations'),
  stt_model: () => t('Speech recognition model'),
  hints: () => t('Names and words of your home'),
  name_spellings: () => t('Other spellings of the names'),
  wake_words: () => t('Wake words'),
  end_silence_ms: () => t('Silence that ends a sentence'),
  speculates: () => t('Begin the answer at a short pause'),
  ends_early: () => t('Answer complete sentences sooner'),
  waits_for_more: () => t('Wait for the rest of a sentence'),
  follow_up_sound: () => t('Sound when you may go on talking'),
  partials_every_ms: () => t('Transcribe while you speak, every'),
  llm_model: () => t('Language model'),
  temperature: () => t('Temperature|of a language model'),
  reply_tokens: () => t('Longest answer'),
  tools: () => t('Tools for the language model'),
  mcp_servers: () => t('MCP servers'),
  mcp_confirms: () => t('Ask before an MCP tool changes something'),
  rooms: () => t('Names of your rooms'),
  devices: () => t('Names of things in your home'),
  home_lists: () => t('Lists of Home Assistant'),
  filler_after_ms: () => t('Fill a long wait after'),
  ring_minutes: () => t('A timer rings for'),
  log_words: () => t('Words of people in the log'),
  check_at: () => t('Time of the nightly check'),
  backup_at: () => t('Time of the nightly backup'),
  // Other cards of the page change these.
  default_list: () => t('Default list'),
  routines: () => t('Routines'),
};

export const labelIn = (field: Pick<Field, 'key' | 'label'>): string =>
  basicOf(field)?.label ?? labels[field.key]?.() ?? field.label;

/** The groups of the contract. */
const groups: Readonly<Record<string, () => string>> = {
  Answering: () => t('Answering|settings'),
  Conversation: () => t('Conversation|settings'),
  Hearing: () => t('Hearing|settings'),
  House: () => t('House|settings'),
  Other: () => t('Other|settings'),
  Speaking: () => t('Speaking|settings'),
  Timers: () => t('Timers|settings'),
  Upkeep: () => t('Upkeep|settings'),
};

const groupWords = (group: string): string => groups[group]?.() ?? group;

/** The first cards of the settings, and their fields. */
const cards: readonly (readonly [title: () => string, keys: readonly string[]])[] = [
  [() => t('Name and voice'), ['names', 'language', 'voice']],
  [() => t('Speed and patience'), ['speed', 'patience']],
  [() => t('Time and quiet hours'), ['time_zone', 'quiet_from', 'quiet_to']],
];

export function basicOf({ key }: Pick<Field, 'key'>): Basic | undefined {
  return Object.hasOwn(basics, key) ? basics[key]?.() : undefined;
}

type Group = readonly [title: string, fields: readonly Field[]];

/** The fields in the cards for everybody, and the groups of the others. */
export function grouped(fields: readonly Field[]): { basic: readonly Group[]; advanced: readonly Group[] } {
  const basic = cards.flatMap(([title, keys]): Group[] => {
    const found = keys.flatMap((key) => fields.find((field) => field.key === key) ?? []);
    return found.length === 0 ? [] : [[title(), found]];
  });
  const others = fields.filter((field) => basicOf(field) === undefined);
  return { basic, advanced: [...Map.groupBy(others, ({ group }) => groupWords(group))] };
}

/** Whether a search finds a setting by words of its name, its key, its group or its meaning. */
export function isFoundBy(wanted: string, field: Pick<Field, 'key' | 'label' | 'group' | 'hint'>): boolean {
  const text = [labelIn(field), field.key, field.group, groupWords(field.group), field.hint].join(' ');
  return spaced(text).includes(spaced(wanted).trimEnd());
}

/** In lower case, with a space before each word. */
const spaced = (text: string): string => ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`;
