import { fill } from '../../../language/phrase.ts';
import type { Phrases } from '../../../language/phrases.ts';
import type { LanguageRules } from '../../../language/rules.ts';
import type { Timer } from '../../../timers/timer.ts';

/** Within this delay it does not count as late. */
const punctualMs = 60_000;
/** If ringing began later than this, the assistant was off. */
const wasOffMs = 30_000;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/**
 * The words for a timer that rings or was missed, at a time in Unix ms. They include the delay and its
 * reason.
 */
export function createRingWords(phrases: Phrases['timers'], { formOf }: Pick<LanguageRules, 'formOf'>) {
  const ago = (ms: number): string => {
    const count = (unitMs: number) => Math.max(1, Math.round(ms / unitMs));
    const [n, one, many] =
      ms < 59.5 * minuteMs
        ? ([count(minuteMs), 'minute', 'minutes'] as const)
        : ms < 23.5 * hourMs
          ? ([count(hourMs), 'hour', 'hours'] as const)
          : ([count(dayMs), 'day', 'days'] as const);
    return fill(phrases.ago[formOf(n) === 'one' ? one : many], { n });
  };

  return (timer: Timer, now: number): string => {
    const lateMs = now - timer.dueAt;
    // A command rings only after it failed, as a reminder.
    const kind = timer.kind === 'command' ? 'reminder' : timer.kind;
    const key = timer.label === null ? kind : (`${kind}_named` as const);
    return fill(phrases[toneOf(timer, lateMs)][key], { label: timer.label ?? '', ago: ago(lateMs) });
  };
}

type Tone = 'now' | 'late' | 'after_off' | 'after_step' | 'missed';

function toneOf({ state, dueAt, ringingAt, counts }: Timer, lateMs: number): Tone {
  if (state === 'missed') return 'missed';
  if (lateMs < punctualMs) return 'now';
  const wasRungAfterMs = (ringingAt ?? dueAt) - dueAt;
  if (wasRungAfterMs <= wasOffMs) return 'late';
  return (counts?.steppedMs ?? 0) > wasRungAfterMs / 2 ? 'after_step' : 'after_off';
}
