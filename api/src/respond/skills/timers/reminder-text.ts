import { type DayPart, noMoment, type SaidMoment } from '../../../language/calendar/moment-reader.ts';
import { textOf, type Word } from '../../../language/grammar/words.ts';
import type { Ask } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import type { TimeInText } from './free-text.ts';
import type { ReminderSubject } from './timer-asks.ts';
import type { TimerChoice } from './timer-choice.ts';
import { aboutIn } from './timer-plan.ts';
import type { TimerRooms } from './timer-rooms.ts';
import type { TimerSaid } from './timer-slots.ts';
import type { TimerWords } from './timer-words.ts';
import type { TimerReply } from './timers-shape.ts';

/** A reminder's sentence, separated into its time and its subject. */
export interface ReminderText {
  said: TimerSaid;
  words: readonly Word[];
  /** Times in the text that belong to no part. The reminder must not store them. */
  left: readonly TimeInText[];
  /** The subject without those times. */
  what: ReminderSubject;
  /** It is unclear what "it" means in "about it". */
  isUnclear?: true;
  /** "The dentist on Monday and the bins on Tuesday": more than one reminder. */
  isSeveral: boolean;
  /** "TOMORROW at eight to call mum and at nine to call dad": all share the day of the first. */
  sharesDay?: boolean;
}

interface ReminderTextOptions {
  read: TimerWords;
  rooms: Pick<TimerRooms, 'lookUp'>;
  choice: Pick<TimerChoice, 'active' | 'mentioned'>;
}

/** Slots that may follow a reminder's text. */
const besideText = [
  'at',
  'minutes',
  'momentWords',
  'oftenWords',
  'apartWords',
  'roomWords',
  'boundWords',
  'nameWords',
  'sunWords',
  'person',
] as const;

/** The hours that people name with a part of the day. At night "for 4" is a number of people. */
const likelyHours: Readonly<Record<DayPart, readonly number[]>> = {
  morning: [5, 6, 7, 8, 9, 10, 11],
  afternoon: [0, 1, 2, 3, 4, 5, 6],
  evening: [5, 6, 7, 8, 9, 10, 11],
  night: [7, 8, 9, 10, 11],
};

/** Separates the words of a subject from those of its time. */
function createSubjectTimes(read: TimerWords) {
  /** "On Friday to call mum at five", "at five to call mum on Friday": the end supplies the missing part. */
  const withEnd = (said: TimerSaid): TimerSaid => {
    const about = aboutIn(said);
    // A time inside "OF" or "THAT" clauses belongs to the text: "that the film begins at eight".
    const end = about?.manner === 'to' ? read.timeAtEnd(about.words) : null;
    if (!about || !end || (said.when && !said.when.moment)) return said;
    const joined = joinedMoment(said.when?.moment ?? noMoment, end.moment);
    if (!joined) return said;
    const when = { duration: null, after: null, ...said.when, moment: joined };
    const at = [...(said.at ?? []), ...about.words.slice(end.from)];
    return { ...said, when, at, [about.manner]: about.words.slice(0, end.from) };
  };

  /** "Call Lance FOR six" is the time. "Buy a cake FOR tomorrow" is the purpose, so the time is open. */
  const withLead = (said: TimerSaid): TimerSaid => {
    const about = aboutIn(said);
    const [lead, first, moment] = [about?.words.at(-1), said.at?.[0], said.when?.moment];
    if (!about || !lead || !first || !moment) return said;
    if (!read.leadsLength(lead) || !isRightBehind(lead, first)) return said;
    if (about.manner !== 'to' || hasTime(moment) || moment.after !== null)
      return { ...said, [about.manner]: about.words.slice(0, -1) };
    return { ...said, when: null, at: null, [about.manner]: [...about.words, ...(said.at ?? [])] };
  };

  /** "My appointment IS Tuesday" gives the time of something else. */
  const isStatement = (said: TimerSaid): boolean => {
    const [about, first] = [aboutIn(said), said.at?.[0]];
    const last = about?.words.at(-1);
    return last !== undefined && about?.manner !== 'to' && isRightBehind(last, first) && read.states(last);
  };

  /** "dass mein Termin am Dienstag IST": the same, where the verb comes last. */
  const isOfVerbBehind = (times: readonly TimeInText[], words: readonly Word[]): boolean => {
    const last = words.at(-1);
    return last !== undefined && times.at(-1)?.to === words.length - 1 && read.states(last);
  };

  /** "Turn the heating ON tomorrow": the first word of the time belongs to the verb. */
  const withParticle = (said: TimerSaid): TimerSaid => {
    const [about, at] = [aboutIn(said), said.at];
    const [last, particle] = [about?.words.at(-1), at?.[0]];
    if (!last || !particle || !isRightBehind(last, particle)) return said;
    if (about?.manner !== 'to' || !read.isParticle(about.words, at ?? [])) return said;
    return { ...said, at: at?.slice(1) ?? null, to: [...about.words, particle] };
  };

  /** "Pick up the kids FOR 3 tomorrow afternoon": the number is an hour of the afternoon. */
  const withHour = (said: TimerSaid): TimerSaid => {
    const [about, own] = [aboutIn(said), said.when?.moment];
    if (!about || !said.at || !own?.part || own.time) return said;
    const whole = read.hourBefore(about.words, said.at);
    if (!whole || !likelyHours[own.part].includes(whole.hour % 12)) return said;
    const when = { duration: null, after: null, ...said.when, moment: whole.moment };
    const at = [...about.words.slice(whole.from + 1), ...said.at];
    return { ...said, when, at, [about.manner]: about.words.slice(0, whole.from) };
  };

  /** "The parents EVENING on Thursday at 7": the name gives the half of the day. */
  const withPartOfName = (said: TimerSaid): TimerSaid => {
    const moment = said.when?.moment;
    const last = aboutIn(said)?.words.at(-1);
    if (!last || !moment?.time || moment.time.half !== null || moment.part !== null) return said;
    const part = read.partNamed(last);
    const isLikely = part !== null && likelyHours[part].includes(moment.time.hour % 12);
    return isLikely && said.when ? { ...said, when: { ...said.when, moment: { ...moment, part } } } : said;
  };

  return {
    withOwnTime: (said: TimerSaid) =>
      isStatement(said)
        ? { said: withTime(said), isStatement: true }
        : {
            said: withPartOfName(withPart(withLead(withHour(withParticle(withEnd(said)))))),
            isStatement: false,
          },
    /** The times in a subject at which to remind. */
    timesIn(words: readonly Word[]): readonly TimeInText[] {
      const times = read.timesIn(words);
      return isOfVerbBehind(times, words) ? [] : times;
    },
  };
}

/** Separates a reminder's text from its time. */
export function createReminderText({ read, rooms, choice }: ReminderTextOptions) {
  const { withOwnTime, timesIn } = createSubjectTimes(read);
  /** "Water the plants in the garden": the text includes a room after it that the house lacks. */
  const withOwnRoom = async (said: TimerSaid, text: string): Promise<TimerSaid> => {
    const { room, roomWords } = said;
    const about = aboutIn(said);
    const [name, last] = [roomWords?.[0], about?.words.at(-1)];
    if (room === null || !roomWords || !name || !about || !last) return said;
    const isBehind = last.end < name.start && read.isRoomPhrase(text.slice(last.end, name.start));
    if (!isBehind || (await rooms.lookUp(room)).isThere) return said;
    return { ...said, room: null, [about.manner]: [...about.words, ...roomWords] };
  };

  /**
   * The text may contain its own time: "about the party on Saturday". Only a part that the moment lacks
   * belongs to the moment.
   */
  const isOwn = (time: TimeInText, { when, at }: TimerSaid, words: readonly Word[]): boolean => {
    const own = when?.moment;
    const isBehind = (words[0]?.start ?? 0) < (at?.[0]?.start ?? 0);
    if (!own || !time.moment || time.isRepeat) return false;
    if (!isBehind || own.after !== null) return true;
    const lacksTime = own.time === null && time.moment.time !== null;
    const lacksDay = !hasDay(own) && hasDay(time.moment);
    return !lacksTime && !lacksDay;
  };

  /** "to say sorry": polite words after the text belong to the subject. */
  const ownEnd = (text: string, words: readonly Word[], said: TimerSaid): string => {
    const end = words.at(-1)?.end ?? 0;
    const others = besideText.flatMap((slot) => said[slot] ?? []);
    const isLast = others.every((word) => word.end <= end);
    return isLast ? read.ownEnd(text.slice(end)) : '';
  };

  /** "It": the subject of the only reminder that was just set or read out, or that rings. */
  const referred = async (ask: Ask): Promise<ReminderSubject> => {
    const all = (await choice.active()).filter(({ kind }) => kind === 'reminder');
    const mentioned = await choice.mentioned(all, ask);
    const meant = mentioned.length > 0 ? mentioned : all.filter(({ state }) => state === 'ringing');
    const [label, ...others] = new Set(meant.map((reminder) => reminder.label));
    return label && others.length === 0 ? { manner: 'of', text: label } : null;
  };

  /**
   * The words without their times and without corrected words. Null: it is unclear which words were
   * corrected.
   */
  const labelOf = (
    text: string,
    { said, words, left }: Pick<ReminderText, 'said' | 'words' | 'left'>,
  ): string | null => {
    const joined = (parts: readonly (readonly Word[])[]) => parts.map((part) => textOf(text, part)).join(' ');
    const back = read.correctionIn(words);
    if (back === 'unclear' || (back && left.length > 0)) return null;
    const around = (part: readonly Word[]) =>
      partsAround(part, [...(said.at ?? []), ...(said.oftenWords ?? [])]);
    if (left.length > 0) return joined(read.withoutTimes(words, left).flatMap(around));
    const kept = (back ? [words.slice(0, back.from), words.slice(back.to)] : [words]).flatMap(around);
    return joined(kept) + ownEnd(text, words, said);
  };

  /** "aan de huur TE BETALEN": an infinitive is something to do. */
  const withInfinitive = (said: TimerSaid, text: string): TimerSaid => {
    const about = aboutIn(said);
    if (!about || !['about', 'to'].includes(about.manner)) return said;
    const task = read.infinitive(text, about.words);
    return task === about.words ? said : { ...said, [about.manner]: null, to: [...task] };
  };

  const textIn = async (spoken: TimerSaid, { turn: { text } }: Ask): Promise<ReminderText> => {
    const { said, isStatement } = withOwnTime(withInfinitive(await withOwnRoom(spoken, text), text));
    const about = aboutIn(said);
    if (!about) return { said, words: [], left: [], what: null, isSeveral: false };
    const { words } = about;
    // "a reminder for my meeting called dentist"
    const manner = said.name === null ? about.manner : 'of';
    const isContent = about.manner === 'about' || about.manner === 'that';
    const times = isStatement ? [] : timesIn(words);
    const left = times.filter((time) => !isContent || !isOwn(time, said, words));
    // "That the film begins at eight and ends at ten" is one reminder.
    const isSeveral = read.joinsAnother(words, about.manner === 'that' ? left : times);
    const sharesDay = isSeveral && sharesFirstDay(said, words, times);
    const label = labelOf(text, { said, words, left });
    if (label === null) return { said, words, left, what: null, isUnclear: true, isSeveral: false };
    const whole = [said.name, label].filter(Boolean).join(': ');
    return { said, words, left, what: whole === '' ? null : { manner, text: whole }, isSeveral, sharesDay };
  };

  const withReference = async (found: ReminderText, ask: Ask): Promise<ReminderText> => {
    if (!found.what || !read.pointsBack(found.what.text)) return found;
    const what = await referred(ask);
    return what ? { ...found, what } : { ...found, what: null, isUnclear: true };
  };

  /** "Remind ANNA to call mum": the reminder is "Anna, call mum". */
  const withPerson = (found: ReminderText, { turn: { text } }: Ask): ReminderText => {
    const person = read.personIn(text, found.said.person);
    if (person === null || found.isUnclear) return found;
    return { ...found, what: { manner: 'of', text: read.spokenTo(person, found.what?.text ?? null) } };
  };

  return async (spoken: TimerSaid, ask: Ask): Promise<ReminderText> =>
    withPerson(await withReference(await textIn(spoken, ask), ask), ask);
}

/**
 * Why a text is not the text of one reminder. Undefined: it is. Null: pass it on. A model may know what
 * "about it" means, and another responder may split several reminders.
 */
export function createReminderRefusal(reply: SayReply<TimerReply>) {
  return (
    { turn, exchanges }: Ask,
    { isUnclear, isSeveral, sharesDay, left }: ReminderText,
  ): string | null | undefined => {
    const last = exchanges.at(-1);
    if (isUnclear) return last && !last.isOurs ? null : reply('remind_of_what', {}, turn);
    if (isSeveral) return sharesDay ? reply('one_reminder', {}, turn) : null;
    return left.some(({ isRepeat }) => isRepeat) ? reply('no_repeats', {}, turn) : undefined;
  };
}

/** The words before and after those of the time: "Mama [am Dienstag] anzurufen". */
function partsAround(words: readonly Word[], time: readonly Word[]): Word[][] {
  const [first] = time;
  if (!first) return [[...words]];
  const isBefore = ({ start }: Word) => start < first.start;
  return [words.filter(isBefore), words.filter((word) => !isBefore(word))].filter((part) => part.length > 0);
}

/** Whether only the first of several times names a day. */
function sharesFirstDay(
  { when, at }: TimerSaid,
  words: readonly Word[],
  times: readonly TimeInText[],
): boolean {
  const own = when?.moment ?? null;
  const isOwnFirst = (at?.[0]?.start ?? 0) < (words[0]?.start ?? 0);
  const inText = times.map(({ moment }) => moment);
  const [first, ...later] = (isOwnFirst ? [own, ...inText] : [...inText, own]).filter(
    (each) => each !== null,
  );
  return first !== undefined && hasDay(first) && later.some((each) => !hasDay(each));
}

function isRightBehind(last: Word, first: Word | undefined): boolean {
  return first !== undefined && first.gap === '' && first.start >= last.end && first.start <= last.end + 1;
}

/** The time is part of the text, so the time of the reminder is open. */
function withTime(said: TimerSaid): TimerSaid {
  const about = aboutIn(said);
  return about
    ? { ...said, when: null, at: null, [about.manner]: [...about.words, ...(said.at ?? [])] }
    : said;
}

/** "For MORNING walk": without a day, a part of the day right before a noun describes it. */
function withPart(said: TimerSaid): TimerSaid {
  const { of: words, at, when } = said;
  const [noun, last, moment] = [words?.[0], at?.at(-1), when?.moment];
  if (!noun || !last || !moment || moment.part === null || moment.time !== null || hasDay(moment))
    return said;
  const isBefore = at?.length === 1 && noun.gap === '' && noun.start === last.end + 1;
  return isBefore ? { ...said, when: null, at: null, of: [last, ...(words ?? [])] } : said;
}

/** Joins two moments. Null: both contain the same part, or one is empty. */
function joinedMoment(own: SaidMoment, end: SaidMoment): SaidMoment | null {
  if (hasTime(end) && !hasDay(end)) return hasTime(own) ? null : { ...own, ...timeIn(end) };
  const isDay = hasDay(end) && !hasTime(end) && end.after?.days !== null;
  return isDay && !hasDay(own) && hasTime(own) ? { ...end, ...timeIn(own) } : null;
}

function timeIn({ time, part, isOwnTime }: SaidMoment): Partial<SaidMoment> {
  return { time, part, ...(isOwnTime && { isOwnTime }) };
}

function hasTime({ time, part, isOwnTime }: SaidMoment): boolean {
  return time !== null || part !== null || isOwnTime === true;
}

function hasDay({ date, after, isToday, isVague }: SaidMoment): boolean {
  return date !== null || after !== null || isToday || isVague === true;
}
