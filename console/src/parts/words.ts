import type { components } from '../../../api/src/http/contract-types.ts';
import { pageLocale, t } from '../language/translate.ts';

type Announcement = components['schemas']['Announcement'];
type Named = Pick<components['schemas']['Timer'], 'kind' | 'label'>;

const responders: Readonly<Record<string, () => string>> = {
  skills: () => t('by fixed rules'),
  home: () => t('by Home Assistant'),
  local: () => t('by the language model'),
  timer: () => t('a timer'),
  announcement: () => t('from another room'),
};

/** The responder of an answer, in words. */
export function viaWords(via: string): string {
  return responders[via]?.() ?? via;
}

const outcomes: Readonly<Record<string, () => string>> = {
  turn_cancelled: () => t('stopped'),
  turn_timeout: () => t('took too long'),
  outcome_unknown: () => t('lost while it acted'),
  overloaded: () => t('too busy'),
  internal: () => t('an error in Hearth'),
  llm_unavailable: () => t('no language model'),
  stt_unavailable: () => t('no speech recognition'),
  tts_unavailable: () => t('no voice'),
};

/** The end of a turn that was not answered, in words. */
export function outcomeWords(code: string): string {
  return outcomes[code]?.() ?? code.replaceAll('_', ' ');
}

/** The outcome of an announcement: "Announced in kitchen." */
export function announcedWords({ satellites = [], missing = [] }: Partial<Announcement>): string {
  const roomsThat = (wanted: string): string => {
    const rooms = satellites.flatMap(({ room, state }) =>
      state === wanted ? [room ?? t('a satellite without a room')] : [],
    );
    return [...new Set(rooms)].join(', ');
  };
  const sentences: [rooms: string, words: (rooms: string) => string][] = [
    [roomsThat('playing'), (rooms) => t('Announced in {rooms}.', { rooms })],
    [
      roomsThat('waiting'),
      (rooms) => t('Someone is talking, so it follows in a moment in {rooms}.', { rooms }),
    ],
    [roomsThat('failed'), (rooms) => t('The announcement failed in {rooms}.', { rooms })],
    [missing.join(', '), (rooms) => t('There is no satellite in {rooms}.', { rooms })],
  ];
  return sentences.flatMap(([rooms, words]) => (rooms === '' ? [] : [words(rooms)])).join(' ');
}

/** 1:05, 12:00, 1:02:03. */
export function clockWords(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

/** 85 ms, 1.2 s, 2 min. */
export function durationWords(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${oneDigit(ms / 1_000)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** With one digit after the decimal mark: 1.2, 60.0. */
function oneDigit(value: number): string {
  const options = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false };
  return value.toLocaleString(pageLocale(), options);
}

const sizes: readonly ((n: string) => string)[] = [
  (n) => t('{n} B', { n }),
  (n) => t('{n} kB', { n }),
  (n) => t('{n} MB', { n }),
  (n) => t('{n} GB', { n }),
];

/** 1.5 MB, 800 kB. */
export function bytesWords(bytes: number): string {
  let size = bytes;
  let unit = 0;
  for (; size >= 1_000 && unit < sizes.length - 1; unit += 1) size /= 1_000;
  const n = size >= 100 || unit === 0 ? String(Math.round(size)) : oneDigit(size);
  return sizes[unit]?.(n) ?? n;
}

/** The present moment, a time zone, and the precision. */
interface MomentOptions extends Pick<Intl.DateTimeFormatOptions, 'timeZone' | 'second'> {
  now?: Date;
}

/** The time of day, with the date unless it is today. '': the moment is invalid. */
export function momentWords(ms: number, { timeZone, second, now = new Date() }: MomentOptions = {}): string {
  if (Number.isNaN(ms)) return '';
  const zone = { timeZone };
  const date = new Date(ms);
  const time = date.toLocaleTimeString(pageLocale(), {
    ...{ ...zone, hour: 'numeric', minute: '2-digit' },
    ...(second && { second }),
  });
  if (date.toLocaleDateString('en', zone) === now.toLocaleDateString('en', zone)) return time;
  return `${date.toLocaleDateString(pageLocale(), { ...zone, day: 'numeric', month: 'short' })}, ${time}`;
}

/** The time of day in the household: "7:04 PM". '': unknown. */
export function clockTimeWords(iso: string | null, timeZone?: string): string {
  if (iso === null) return '';
  return new Date(iso).toLocaleTimeString(pageLocale(), { hour: 'numeric', minute: '2-digit', timeZone });
}

/** The day in the household: "Today", "Yesterday", "Thursday, November 26". */
export function dayWords(iso: string | null, now: Date, timeZone?: string): string {
  if (iso === null) return t('Earlier');
  const day = (ms: number) => new Date(ms).toLocaleDateString('en', { timeZone });
  const at = Date.parse(iso);
  if (day(at) === day(now.getTime())) return t('Today');
  if (day(at) === day(now.getTime() - 24 * 3_600_000)) return t('Yesterday');
  const options = { weekday: 'long', month: 'long', day: 'numeric', timeZone } as const;
  return new Date(at).toLocaleDateString(pageLocale(), options);
}

/** The local date and time in a form that fields and Date.parse read: "2026-11-27 07:00:00". */
export function wallWords(ms: number, timeZone?: string): string {
  return new Date(ms).toLocaleString('sv-SE', { timeZone });
}

/** The moment at which clocks in a time zone show "2026-11-27T07:00". Default: this device's zone. */
export function momentOf(wall: string, timeZone?: string): Date {
  if (timeZone === undefined) return new Date(wall);
  const wanted = Date.parse(`${wall}Z`);
  const aheadMs = (ms: number) => Date.parse(`${wallWords(ms, timeZone).replace(' ', 'T')}Z`) - ms;
  // Correct the first guess, which may lie on the other side of a clock change.
  const near = wanted - aheadMs(wanted);
  return new Date(wanted - aheadMs(near));
}

/** A ringing timer, alarm or reminder in a few words. */
export function ringWords({ kind, label }: Named): string {
  if (kind === 'reminder') return label === null ? t('A reminder') : t('Reminder: {label}', { label });
  if (kind === 'alarm')
    return label === null ? t('An alarm is ringing') : t('The alarm “{label}” is ringing', { label });
  return label === null ? t('A timer is over') : t('The timer “{label}” is over', { label });
}

const kinds: Readonly<Record<Named['kind'], () => string>> = {
  timer: () => t('timer'),
  alarm: () => t('alarm'),
  reminder: () => t('reminder'),
  command: () => t('command'),
};

/** The kind of a timer in one word. */
export const kindWords = (kind: Named['kind']): string => kinds[kind]();

/** The title of the window while a timer rings. */
export function ringTitle(rings: readonly Named[]): string | null {
  const [first] = rings;
  if (first === undefined) return null;
  return rings.length === 1 ? ringWords(first) : t('{n} are ringing', { n: rings.length });
}

const namesIn = (locale: string) => new Intl.DisplayNames([locale], { type: 'language' });
let languageNames = { locale: 'en', names: namesIn('en') };

/** The name of a language or of `multilingual`, in the page's language. */
export function languageWords(code: string): string {
  if (code === 'multilingual') return t('many languages');
  const locale = pageLocale();
  // A list may name hundreds of languages.
  if (languageNames.locale !== locale) languageNames = { locale, names: namesIn(locale) };
  try {
    return languageNames.names.of(code) ?? code;
  } catch {
    return code; // not a language tag, so show it unchanged
  }
}
