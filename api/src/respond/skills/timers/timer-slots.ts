import type { SaidMoment } from '../../../language/calendar/moment-reader.ts';
import type { SaidTime } from '../../../language/calendar/time-reader.ts';
import type { Duration } from '../../../language/durations/duration-reader.ts';
import type { Word } from '../../../language/grammar/words.ts';
import { intentsOf } from '../../core/skill.ts';
import { readBy, type Slot, type SlotValues, textIn, wordsIn } from '../../core/slot.ts';
import type { TimerWords } from './timer-words.ts';

/** A spoken time: a moment or a duration. */
export interface SaidWhen {
  moment: SaidMoment | null;
  duration: Duration | null;
  /** "in ten minutes": the reply also names the duration. */
  after: Duration | null;
}

export type TimerSaid = SlotValues<ReturnType<typeof createTimerSlots>>;

/** Makes intents of timers. */
export const timerIntents = intentsOf<TimerSaid>();

/** The words of what is to be done, and of what happens. */
const subjectSlots = {
  /** The subject of a reminder, by the word before it. `end`: the rest of a task, after its time. */
  to: wordsIn('to', 'end'),
  about: wordsIn(),
  that: wordsIn(),
  of: wordsIn(),
  /** "MY TRAIN LEAVES at 6:40, wake me an hour before" */
  event: wordsIn('event', 'stated'),
  /** "Ich muss um drei LOS": the sentence itself states the event. */
  stated: wordsIn(),
  /** "Remind ANNA to call mum" */
  person: wordsIn(),
};

/** The values of the slots in the timers' sentences. */
export function createTimerSlots({
  durations,
  moments,
  names,
  readLength: readEach,
  readSpan,
  readSun,
  readHalf,
  readRepeat,
  readRule,
  readExcept,
  readStart,
  readEnd,
  readPlans,
  several,
}: Pick<
  TimerWords,
  | 'durations'
  | 'moments'
  | 'names'
  | 'readRepeat'
  | 'readRule'
  | 'readExcept'
  | 'readStart'
  | 'readEnd'
  | 'readPlans'
  | 'readLength'
  | 'readSpan'
  | 'readSun'
  | 'readHalf'
  | 'several'
>) {
  const { readWhen, readLength } = createLengthReaders({ durations, moments });
  const when = (...slots: readonly string[]): Slot<SaidWhen> => ({ names: slots, read: readWhen });
  const duration = (...slots: readonly string[]): Slot<Duration> => readBy(durations.read, ...slots);
  const timer = readBy(names.readTimer);
  const label: Slot<string> = { read: (words, text) => names.labelIn(text, words) };
  const time: Slot<SaidTime> = { read: (words) => moments.readBare(words, 0)?.value.time ?? null };

  return {
    /** The mentioned timer, its name after it ("the timer for the pasta"), and further timers. */
    which: timer,
    name: label,
    nameWords: wordsIn('name'),
    other: timer,
    third: timer,
    time,
    timeWords: wordsIn('time'),
    /** After the timer: when it rings, its duration, its room. */
    span: readBy(readSpan),
    /** Sunrise or sunset. */
    sun: readBy(readSun),
    sunWords: wordsIn('sun'),
    spanWords: wordsIn('span'),
    spanLength: { names: ['span'], read: readLength },
    lasting: duration(),
    /** "Every 15 MINUTES for an HOUR" */
    apart: readBy(readEach, 'each'),
    within: readBy(readEach, 'within'),
    apartWords: wordsIn('each', 'within'),
    place: textIn(),
    here: wordsIn(),
    /** Timers in general: "can you cancel timers". */
    any: timer,
    dish: label,
    room: textIn(),
    roomWords: wordsIn('room'),
    /** Wishes that no timer can fulfil. */
    ringing: wordsIn(),
    condition: wordsIn(),

    /** Durations: of a new timer, and to add, subtract or set. */
    duration: duration(),
    durationWords: wordsIn('duration'),
    length: duration('duration', 'more', 'made', 'hours'),
    /** "Un minuteur pour 18 h 30": no one lets a timer run for so long. */
    untilHour: { names: ['hours'], read: (words) => lateHour(readWhen(words)) } satisfies Slot<SaidWhen>,
    /** The unit of a number from an earlier sentence. */
    unit: wordsIn(),
    half: readBy(readHalf),
    putOff: duration('duration', 'more'),
    more: duration('more', 'add'),
    less: duration(),
    newLength: duration('to', 'reset'),
    reset: duration(),
    madeLength: duration('made'),

    /** Several values at once. */
    times: readBy(several.times),
    moments: readBy(several.moments),
    momentWords: wordsIn('moments'),
    lengths: readBy(several.lengths, 'lengths', 'apart'),
    count: readBy(several.count, 'how_many'),
    named: createNamedSlot({ names, several }),

    /** Repetitions. */
    every: readBy((words, from) => readRepeat(words, from) ?? readRule(words, from), 'every', 'often'),
    except: readBy(readExcept),
    /** The bounds of a repetition. */
    starts: readBy(readStart),
    ends: readBy(readEnd),
    last: readBy(readEnd),
    boundWords: wordsIn('starts', 'ends'),
    plans: readBy(readPlans),
    oftenWords: wordsIn('every', 'plans'),

    /** Times: of a new timer, and of an existing one. */
    when: when('day', 'at', 'until', 'wake', 'again', 'made'),
    dayWords: wordsIn('day'),
    newTime: when('until', 'made'),
    newTimeWords: wordsIn('until'),
    made: wordsIn(),
    answered: when('at', 'duration'),
    /** "in TEN", in answer to "when?" */
    minutes: wordsIn(),
    again: wordsIn(),
    wake: wordsIn(),

    ...subjectSlots,

    /** "a few minutes" */
    vague: wordsIn(),

    /** Any words after "did you set a timer". */
    at: wordsIn(),
    text: wordsIn(),
  };
}

/** "18 h 30" is a time of day and a length; from here on, people mean the time. */
const firstLateHour = 13;

function lateHour(when: SaidWhen): SaidWhen | null {
  const time = when.moment?.time;
  return time && time.hour >= firstLateHour ? when : null;
}

/** The lengths of several new timers, with their names. */
function createNamedSlot({
  names,
  several,
}: Pick<TimerWords, 'names' | 'several'>): Slot<{ ms: number; label: string | null }[]> {
  return {
    read: (words, text) =>
      several.named(words, 0)?.value.map(({ ms, name }) => ({ ms, label: names.labelIn(text, name) })) ??
      null,
  };
}

const maxRepeated = 3;

/** "Tomorrow an alarm for nine TOMORROW": the same words at both ends count once. */
function withoutRepeated(words: readonly Word[]): readonly Word[] {
  for (let count = maxRepeated; count > 0; count -= 1) {
    const end = words.slice(-count);
    if (words.length > count && end.every(({ word }, at) => word === words[at]?.word))
      return words.slice(count);
  }
  return words;
}

/** Reads moments that may be lengths, and lengths that may be moments. */
function createLengthReaders({ durations, moments }: Pick<TimerWords, 'durations' | 'moments'>) {
  const readWhen = (spoken: readonly Word[]): SaidWhen => {
    const isWhole = moments.readBare(spoken, 0)?.end === spoken.length;
    const words = isWhole ? spoken : withoutRepeated(spoken);
    const found = moments.readBare(words, 0);
    const moment = found?.end === words.length ? found.value : null;
    // "Ten minutes", in answer to "when?".
    const duration = moment ? null : (durations.read(words, 0)?.value ?? null);
    return { moment, duration, after: found?.value.after ?? null };
  };
  /** "voor 2 uur": if the word for an hour is ambiguous, reads a duration instead of a time of day. */
  const readLength = (words: readonly Word[]): Duration | null => {
    const found = words.slice(0, 2).map((_, at) => durations.read(words, at));
    return found.find((each) => each?.end === words.length)?.value ?? null;
  };
  return { readWhen, readLength };
}
