import type { components } from '../../../api/src/http/contract-types.ts';

type Announcement = components['schemas']['Announcement'];
type Named = Pick<components['schemas']['Timer'], 'kind' | 'label'>;

const responders: Record<string, string> = {
  skills: 'by fixed rules',
  home: 'by Home Assistant',
  local: 'by the language model',
  timer: 'a timer',
  announcement: 'from another room',
};

/** The responder of an answer, in words. */
export function viaWords(via: string): string {
  return responders[via] ?? via;
}

const outcomes: Record<string, string> = {
  turn_cancelled: 'stopped',
  turn_timeout: 'took too long',
  outcome_unknown: 'lost while it acted',
  overloaded: 'too busy',
  internal: 'an error in Hearth',
  llm_unavailable: 'no language model',
  stt_unavailable: 'no speech recognition',
  tts_unavailable: 'no voice',
};

/** The end of a turn that was not answered, in words. */
export function outcomeWords(code: string): string {
  return outcomes[code] ?? code.replaceAll('_', ' ');
}

/** The outcome of an announcement: "Announced in kitchen." */
export function announcedWords({ satellites = [], missing = [] }: Partial<Announcement>): string {
  const roomsThat = (wanted: string): string => {
    const rooms = satellites.flatMap(({ room, state }) =>
      state === wanted ? [room === null ? 'a satellite without a room' : room] : [],
    );
    return [...new Set(rooms)].join(', ');
  };
  const parts = [
    ['Announced in', roomsThat('playing')],
    ['Someone is talking, so it follows in a moment in', roomsThat('waiting')],
    ['The announcement failed in', roomsThat('failed')],
    ['There is no satellite in', missing.join(', ')],
  ] as const;
  return parts.flatMap(([words, rooms]) => (rooms === '' ? [] : [`${words} ${rooms}.`])).join(' ');
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
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.round(ms / 60_000)} min`;
}

/** 1.5 MB, 800 kB. */
export function bytesWords(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  let size = bytes;
  let unit = 0;
  for (; size >= 1_000 && unit < units.length - 1; unit += 1) size /= 1_000;
  return `${size >= 100 || unit === 0 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
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
  const time = date.toLocaleTimeString([], {
    ...{ ...zone, hour: 'numeric', minute: '2-digit' },
    ...(second && { second }),
  });
  if (date.toLocaleDateString('en', zone) === now.toLocaleDateString('en', zone)) return time;
  return `${date.toLocaleDateString([], { ...zone, day: 'numeric', month: 'short' })}, ${time}`;
}

/** The time of day in the household: "7:04 PM". '': unknown. */
export function clockTimeWords(iso: string | null, timeZone?: string): string {
  if (iso === null) return '';
  return new Date(iso).toLocaleTimeString([], { hour: 'numeric', minute: '2-digit', timeZone });
}

/** The day in the household: "Today", "Yesterday", "Thursday, November 26". */
export function dayWords(iso: string | null, now: Date, timeZone?: string): string {
  if (iso === null) return 'Earlier';
  const day = (ms: number) => new Date(ms).toLocaleDateString('en', { timeZone });
  const at = Date.parse(iso);
  if (day(at) === day(now.getTime())) return 'Today';
  if (day(at) === day(now.getTime() - 24 * 3_600_000)) return 'Yesterday';
  return new Date(at).toLocaleDateString('en', { weekday: 'long', month: 'long', day: 'numeric', timeZone });
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
  if (kind === 'reminder') return label === null ? 'A reminder' : `Reminder: ${label}`;
  if (kind === 'alarm') return label === null ? 'An alarm is ringing' : `The alarm “${label}” is ringing`;
  return label === null ? 'A timer is over' : `The timer “${label}” is over`;
}

/** The title of the window while a timer rings. */
export function ringTitle(rings: readonly Named[]): string | null {
  const [first] = rings;
  if (first === undefined) return null;
  return rings.length === 1 ? ringWords(first) : `${rings.length} are ringing`;
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** The English name of a language or of `multilingual`. */
export function languageWords(code: string): string {
  if (code === 'multilingual') return 'many languages';
  try {
    return languageNames.of(code) ?? code;
  } catch {
    return code; // not a language tag, so show it unchanged
  }
}
