import type { z } from 'zod';
import {
  type DayPart,
  dayPartNames,
  type MomentReader,
  type SaidMoment,
} from '../../../language/calendar/moment-reader.ts';
import type { DurationReader } from '../../../language/durations/duration-reader.ts';
import { longestPhraseEnd } from '../../../language/grammar/phrase-at.ts';
import { textOf, type Word } from '../../../language/grammar/words.ts';
import type { createFreeText, TimeInText } from './free-text.ts';
import type { createSeveralReader } from './several-words.ts';
import type { createTimerNames } from './timer-names.ts';
import type { timersShape } from './timers-shape.ts';

interface ReminderWordsOptions {
  words: z.infer<(typeof timersShape)['words']>;
  freeText: ReturnType<typeof createFreeText>;
  durations: Pick<DurationReader, 'correctedAt'>;
  moments: Pick<MomentReader, 'read' | 'readBare'>;
  names: Pick<ReturnType<typeof createTimerNames>, 'labelIn'>;
  several: Pick<ReturnType<typeof createSeveralReader>, 'joinsAt' | 'joinsUpTo'>;
  /** Names of days that are close to today. */
  nearDays: readonly string[];
}

/** Reads the text of a reminder: its end, its times, and words that belong to a verb. */
export function createReminderWords(options: ReminderWordsOptions) {
  const { words, freeText, durations, moments, names, several, nearDays } = options;
  return {
    /** Whether a text leads to the name of a room: " in the ". */
    isRoomPhrase: (text: string) => words.room_from.includes(text.trim().toLowerCase()),
    /** Whether the words are cut off: "call Bob at five and". */
    isCut: (said: readonly Word[]) => words.joining.includes(said.at(-1)?.word ?? ''),
    /** "quiz NIGHT": the part of the day that ends a name. */
    partNamed: ({ word }: Word): DayPart | null =>
      dayPartNames.find((part) => words.moments.parts[part].includes(word)) ?? null,
    /** Whether the words only refer to something else: "about IT". */
    pointsBack: (text: string) => words.pointing.includes(text.toLowerCase()),
    /** "Remind THE KIDS", "remind MY WIFE": the person. Null: the reminder is for the speaker. */
    personIn(text: string, said: readonly Word[] | null): string | null {
      const areSeveral = said?.some(({ word }, at) => at > 0 && words.people.and.includes(word)) ?? false;
      const isOwn = said?.[0] !== undefined && said[0].word in words.to_you;
      return said && (isOwn || areSeveral) ? textOf(text, said) : said && names.labelIn(text, said);
    },
    /** "Kids, brush your teeth" for "remind the kids to brush their teeth". */
    spokenTo(person: string, text: string | null): string {
      const toPerson = text?.replaceAll(/\p{L}+/gu, (word) => words.to_person[word.toLowerCase()] ?? word);
      return [person, toPerson].filter(Boolean).join(', ');
    },
    /** The words right after a reminder that still belong to it: "sorry", "again". */
    ownEnd(behind: string): string {
      const said = /^(?:\s+[\p{L}\p{M}'’]+)*/u.exec(behind)?.[0] ?? '';
      const parts = said.match(/\s+\S+/g) ?? [];
      const polite = parts.findIndex((part) => words.polite.includes(part.trim().toLowerCase()));
      return (polite < 0 ? parts : parts.slice(0, polite)).join('');
    },
    /**
     * "call TOM NO WAIT Tim": the position of the corrected words. 'unclear': it may be more than one word.
     */
    correctionIn(said: readonly Word[]): { from: number; to: number } | 'unclear' | null {
      for (let at = 1; at < said.length; at += 1) {
        const to = durations.correctedAt(said, at);
        // A single "no" or "wait" within a sentence may belong to it.
        const isSure = to !== null && (to - at > 1 || said[at]?.gap === ',');
        if (isSure && to < said.length) return said.length - to === 1 ? { from: at - 1, to } : 'unclear';
      }
      return null;
    },
    /** Whether a duration or a time may follow this word: "boil the eggs FOR ten minutes". */
    leadsLength: ({ word }: Word): boolean => words.free_text.lasting.includes(word),
    /** Whether a time after this word is part of a statement: "my appointment IS on Tuesday". */
    states: ({ word }: Word): boolean => words.free_text.stating.includes(word),
    /** An infinitive with its article ("aan DE huur te betalen"), without its lead ("OM Bob te bellen"). */
    infinitive(text: string, said: readonly Word[]): readonly Word[] {
      const { infinitive_signs: signs, infinitive_leads: leads, articles } = words.free_text;
      const [first, ...others] = said;
      if (!first || !signs.includes(said.at(-2)?.word ?? '')) return said;
      if (leads.includes(first.word)) return others;
      const article = /\S+(?=\s+$)/.exec(text.slice(0, first.start));
      const isArticle = article !== null && articles.includes(article[0].toLowerCase());
      return isArticle ? [{ ...first, start: article.index }, ...others] : said;
    },
    /** Whether the first word of a time belongs to the verb: "turn the heating ON tomorrow". */
    isParticle(said: readonly Word[], at: readonly Word[]): boolean {
      const { words: particles, needing, taking, others } = words.free_text.particles;
      const [verb, ...more] = said.map(({ word }) => word);
      if (!verb || more.length === 0 || more.some((word) => others.includes(word))) return false;
      if (!particles.includes(at[0]?.word ?? '') || moments.read(at, 1)?.end !== at.length) return false;
      const isNear = longestPhraseEnd(nearDays, at, 1) !== null;
      return needing.includes(verb) || (isNear && taking.includes(verb));
    },
    /** "FOR 3 tomorrow afternoon": the moment with the hour at the end of the text before it. */
    hourBefore(
      said: readonly Word[],
      at: readonly Word[],
    ): { moment: SaidMoment; hour: number; from: number } | null {
      const from = said.findLastIndex(({ word }) => words.free_text.lasting.includes(word));
      const whole = [...said.slice(from + 1), ...at];
      const found = from > 0 && from < said.length - 1 ? moments.readBare(whole, 0) : null;
      const hour = found?.end === whole.length ? found.value.time?.hour : undefined;
      return found && hour !== undefined ? { moment: found.value, hour, from } : null;
    },
    timesIn: freeText.timesIn,
    withoutTimes: freeText.without,
    /** Whether a joint connects one of these times with other words: "the dentist on Monday AND the bins". */
    joinsAnother: (said: readonly Word[], times: readonly TimeInText[]): boolean =>
      times.some((time) => several.joinsAt(said, time.to) || several.joinsUpTo(said, time)),
    /** The moment at the end of the words, and its position: "call mum AT FIVE". */
    timeAtEnd: (said: readonly Word[]): { moment: SaidMoment; from: number } | null => {
      const isDeadline = (at: number) => words.free_text.deadlines.includes(said[at]?.word ?? '');
      const { leading, lasting } = words.free_text;
      const isLeading = (at: number) => [...leading, ...lasting].includes(said[at]?.word ?? '');
      for (let from = 1; from < said.length; from += 1) {
        const found = isDeadline(from) ? null : moments.read(said, from);
        if (found?.end !== said.length) continue;
        return isDeadline(from - 1) || isLeading(from - 1) ? null : { moment: found.value, from };
      }
      return null;
    },
  };
}
