import { type MomentReader, noMoment, type SaidMoment } from '../../../language/calendar/moment-reader.ts';
import { longestPhraseEnd, skipPhrase } from '../../../language/grammar/phrase-at.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { Read } from '../../../language/numbers/number-reader.ts';
import { type createRepeatReader, type SaidRepeat, weeklyOn } from './repeat-words.ts';
import type { createSeveralReader } from './several-words.ts';

/** A time and its repetition. */
interface RepeatPlan {
  every: SaidRepeat;
  moment: SaidMoment;
}

interface RepeatPlansOptions {
  words: { and: readonly string[]; at: readonly string[]; days: Readonly<Record<string, string>> };
  moments: Pick<MomentReader, 'readBare'>;
  several: Pick<ReturnType<typeof createSeveralReader>, 'times'>;
  repeats: Pick<ReturnType<typeof createRepeatReader>, 'read' | 'readAlso'>;
}

/** More values were probably misheard, or form another kind of list. */
const maxPlans = 10;

/**
 * Reads several times with repetitions: "7 on weekdays and 9 on weekends". Repetitions may share their time:
 * "every Monday and on the first of the month at 7".
 */
export function createRepeatPlans({ words, moments, several, repeats }: RepeatPlansOptions) {
  const daysPhrases = Object.keys(words.days);

  const oneTime = (said: readonly Word[], at: number): Read<SaidMoment[]> | null => {
    const found = moments.readBare(said, at);
    return found?.value.time && found.value.after === null ? { value: [found.value], end: found.end } : null;
  };
  /** A single time ends before its repetition: "seven ON WEEKDAYS", "seven MONDAY TO FRIDAY". */
  const timeBefore = (said: readonly Word[], from: number): Read<SaidMoment[]> | null => {
    const whole = oneTime(said, from);
    if (!whole) return null;
    for (let end = whole.end - 1; end > from; end -= 1) {
      const found = oneTime(said.slice(0, end), from);
      if (found?.end === end && everyAt(said, end, true)) return found;
    }
    return whole;
  };
  const timesAt = (said: readonly Word[], from: number): Read<SaidMoment[]> | null => {
    const at = skipPhrase(words.at, said, from);
    const times = several.times(said, at);
    // "At 7 AND ON SATURDAY AT 9" begins another repetition, and so does "and on the weekend at 9".
    const isOfOneDay = times?.value.every(({ date, isVague }) => date === null && isVague !== true);
    return isOfOneDay ? times : timeBefore(said, at);
  };
  /** After a repetition, "on the weekend" is another one. */
  const everyAt = (said: readonly Word[], at: number, isBehind: boolean): Read<SaidRepeat> | null => {
    const end = isBehind ? longestPhraseEnd(daysPhrases, said, at) : null;
    const phrase = said.slice(at, end ?? at).map(({ word }) => word);
    const days = words.days[phrase.join(' ')];
    if (end !== null && days !== undefined) return { value: { rule: weeklyOn(days), part: null }, end };
    return repeats.read(said, at) ?? (isBehind ? repeats.readAlso(said, at) : null);
  };
  /** "every Monday AND ON THE FIRST at 7": repetitions that share the time after them. */
  const sharing = (said: readonly Word[], first: Read<SaidRepeat>): Read<RepeatPlan[]> | null => {
    const shared = [first];
    for (let { end } = first; shared.length < maxPlans; ) {
      const next = everyAt(said, skipPhrase(words.and, said, end), true);
      if (!next || next.value.part) return null;
      shared.push(next);
      end = next.end;
      const times = timesAt(said, end);
      if (!times) continue;
      const plans = shared.flatMap(({ value }) => times.value.map((moment) => ({ every: value, moment })));
      return { value: plans, end: times.end };
    }
    return null;
  };

  /** "every morning AND EVENING": a part of the day alone takes the repetition before it. */
  const partOfDay = (
    said: readonly Word[],
    from: number,
    { every, last }: { every: Read<SaidRepeat> | null; last: RepeatPlan | undefined },
  ): Read<RepeatPlan[]> | null => {
    if (every)
      return every.value.part && { value: [{ every: every.value, moment: noMoment }], end: every.end };
    const found = last?.every.part ? moments.readBare(said, from) : null;
    if (!last || !found?.value.part || found.value.date || found.value.isToday) return null;
    return { value: [{ every: { ...last.every, part: null }, moment: found.value }], end: found.end };
  };

  /** "at seven on weekdays", "on weekdays at seven and eight". */
  const partAt = (
    said: readonly Word[],
    from: number,
    last: RepeatPlan | undefined,
  ): Read<RepeatPlan[]> | null => {
    const isBehind = last !== undefined;
    const first = everyAt(said, from, isBehind);
    const times = timesAt(said, first?.end ?? from);
    if (!times && first && !first.value.part) {
      const also = isBehind && { value: [{ every: first.value, moment: last.moment }], end: first.end };
      return sharing(said, first) ?? (also || null);
    }
    if (!times) return partOfDay(said, from, { every: first, last });
    const every = first ?? everyAt(said, times.end, isBehind);
    if (!every) return null;
    const plans = times.value.map((moment) => ({ every: every.value, moment }));
    return { value: plans, end: Math.max(times.end, every.end) };
  };

  return (said: readonly Word[], from: number): Read<RepeatPlan[]> | null => {
    const plans: RepeatPlan[] = [];
    let end = from;
    for (let at = from; plans.length < maxPlans; ) {
      const part = partAt(said, at, plans.at(-1));
      if (!part || part.value.some(({ every }) => plans.some((plan) => overlap(plan.every, every)))) break;
      plans.push(...part.value);
      end = part.end;
      at = skipPhrase(words.and, said, end);
      if (at === end && said[end]?.gap !== ',') break;
    }
    return plans.length < 2 ? null : { value: plans, end };
  };
}

/** "Every day at 7 and on Saturday at 9": whether Saturday has one time or two is unclear. */
function overlap({ rule }: SaidRepeat, also: SaidRepeat): boolean {
  if (!also.isAlso) return false;
  return (
    rule === null || rule === 'FREQ=DAILY' || daysOf(rule).some((day) => daysOf(also.rule).includes(day))
  );
}

const daysOf = (rule: string | null): readonly string[] =>
  /^FREQ=WEEKLY;BYDAY=(.+)$/.exec(rule ?? '')?.[1]?.split(',') ?? [];
