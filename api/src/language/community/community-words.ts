import { z } from 'zod';
import type { CommunityData } from './community.ts';
import { fillJinja, type JinjaSlots } from './jinja.ts';

const words = z.string().trim().min(1);

/** Our own sentences in one language, for which the community has no equivalent. */
export const ownSentencesSchema = z.strictObject({
  ok: words,
  done: words,
  wait: words,
  cannot: words,
  unsure: words,
  time_is_up: words,
  /** Follows the confirmation of a timer that no device can ring for. */
  nothing_rings: words,
  not_on_list: words,
  low_space: words,
  /** The name of the usual list. */
  shopping: words,
  /** Intents with ambiguous sentences: in Serbian, "tell me" is also an announcement. */
  unbound: z.array(words).default([]),
  /** Said before a negative number. */
  minus: words,
  /** The question that the check sends through the engines, and words of which its answer has one. */
  check: z.strictObject({ question: words, answer: z.array(words).min(1) }),
});

export type OwnSentences = z.infer<typeof ownSentencesSchema>;

export type CommunityWords = ReturnType<typeof createCommunityWords>;

/** A language with the sentences of the community. */
export interface CommunityLanguage {
  data: CommunityData;
  words: CommunityWords;
  /** The heading of the routines on the page. */
  routines: string;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** A length in whole seconds, rounded. */
function partsOf(ms: number) {
  const whole = Math.max(0, Math.round(ms / second)) * second;
  return {
    hours: Math.floor(whole / hour),
    minutes: Math.floor((whole % hour) / minute),
    seconds: (whole % minute) / second,
  };
}

/** The locale of a language. Without a country, CLDR assumes Brazilian Portuguese. */
export function communityLocale(tag: string): string {
  return tag === 'pt' ? 'pt-PT' : tag;
}

/** Says things in a language of the community: its responses, our few sentences, and forms from CLDR. */
export function createCommunityWords(data: CommunityData, own: OwnSentences) {
  const tag = communityLocale(data.language);
  const durations = new Intl.DurationFormat(tag, { style: 'long' });
  const lists = new Intl.ListFormat(tag);
  const { intents, errors } = data.responses;
  const sayDuration = (ms: number): string => {
    const parts = partsOf(ms);
    return durations.format(ms < second / 2 ? { seconds: 0 } : parts) || durations.format({ seconds: 1 });
  };

  return {
    own,
    sayDuration,
    sayList: (things: readonly string[]) => lists.format(things),
    sayTime: (at: number, timeZone: string) =>
      new Intl.DateTimeFormat(tag, { timeZone, hour: 'numeric', minute: '2-digit' }).format(at),
    sayDate: (at: number, timeZone: string) =>
      new Intl.DateTimeFormat(tag, { timeZone, dateStyle: 'full' }).format(at),
    /** The slots of a response about a length, as the community writes them. */
    slotsOf(ms: number): JinjaSlots {
      const parts = Object.entries(partsOf(ms)).filter(([, count]) => count > 0);
      return Object.fromEntries(parts.map(([unit, count]) => [unit, String(count)]));
    },
    /** A response of an intent. Null: it has none that says something. */
    response(intent: string, key: string, slots: JinjaSlots = {}): string | null {
      const template = intents[intent]?.[key] ?? intents[intent]?.['default'];
      return template === undefined ? null : fillJinja(template, slots);
    },
    /** A failure in the community's words, or else in ours. */
    error: (key: string): string => fillJinja(errors[key] ?? '', {}) ?? own.cannot,
  };
}
