import type { ActionNotes } from '../../actions/action-notes.ts';
import { type HomeError, recovering } from '../../engines/home-fault.ts';
import type { DateReader } from '../../language/calendar/date-reader.ts';
import type { createClock, LocalTime } from '../../language/calendar/time-zones.ts';
import { createGrammar } from '../../language/grammar/grammar.ts';
import type { Word } from '../../language/grammar/words.ts';
import type { Language } from '../../language/language.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { plainAnswer, type Responder } from '../core/responder.ts';
import type { Ask, Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import { timersShape } from '../skills/timers/timers-shape.ts';
import type { createCalendarAnswers } from './calendar-answers.ts';
import { createCalendarFinding } from './calendar-finding.ts';
import type { CalendarAction } from './calendar-records.ts';
import { createCalendarRequests } from './calendar-request.ts';
import type { CalendarAnswer } from './calendar-shape.ts';
import { calendarShape } from './calendar-shape.ts';
import { createCalendarNote, createCalendarSkill } from './calendar-skill.ts';
import { createCalendarTelling } from './calendar-telling.ts';
import { createCalendarTimes } from './calendar-times.ts';
import type { CalendarWriter } from './calendar-writer.ts';
import { createCalendarWriting } from './calendar-writing.ts';
import type { SayFact } from './home-facts-shape.ts';
import type { FactWords, QuestionDaysReader } from './question-days.ts';

interface CalendarOptions {
  client: CalendarWriter;
  language: Language;
  pendingQuestions: HouseholdQuestions;
  notes: ActionNotes<CalendarAction>;
  factWords: FactWords;
  dates: DateReader;
  days: QuestionDaysReader;
  say: SayFact;
  clock: ReturnType<typeof createClock>;
  timeZone: string;
  time: (time: LocalTime) => string;
  onFailure: (error: HomeError) => void;
  asking: ReturnType<typeof createCalendarAnswers>;
}

/** Answers questions about the house's calendar and changes it. */
export function createCalendar(options: CalendarOptions) {
  const {
    client,
    language,
    pendingQuestions,
    notes,
    factWords,
    days,
    clock,
    timeZone,
    time,
    onFailure,
    asking,
  } = options;
  const { words, reply } = loadSkill(language.files, 'calendar', calendarShape);
  const { readWords } = createGrammar(language.grammar);
  const unreachable = ({ turn }: Ask) => options.say('unreachable', {}, turn);
  const writing = createCalendarWriting({
    client,
    words,
    clock,
    timeZone,
    readWords,
    pendingQuestions,
    say: reply,
    telling: createCalendarTelling({ say: reply, days, clock, timeZone, time }),
    requests: createCalendarRequests({
      words,
      fillers: factWords.fillers,
      ...momentsOf(language, options.dates),
    }),
    times: createCalendarTimes({ words, clock, timeZone }),
    find: createCalendarFinding({ client, words, clock, timeZone }),
    note: createCalendarNote(notes),
  });

  const honest = <T>(ask: Ask, work: () => Promise<T>): Promise<T | CalendarAnswer> =>
    recovering(work, (fault) => {
      onFailure(fault);
      return { text: unreachable(ask), kept: null };
    });
  const read = async (said: readonly Word[], ask: Ask): Promise<CalendarAnswer> => ({
    text: await asking.answer(said, ask),
    kept: options.say('read_out', {}, ask.turn),
  });

  const hasAny = async ({ signal }: Ask) => (await client.calendars(signal)).length > 0;

  const answered = async (said: readonly Word[], ask: Ask): Promise<CalendarAnswer> => {
    const named = (await hasAny(ask)) ? await writing.whenIs(said, ask) : null;
    return named ?? (await read(said, ask));
  };
  const changed = async (said: readonly Word[], ask: Ask): Promise<CalendarAnswer> => {
    if (!(await hasAny(ask))) return { text: options.say('not_exposed', {}, ask.turn), kept: null };
    const answer = await writing.change(said, ask);
    if (answer) return answer;
    return asking.mayChange(said) ? writing.unclear(ask) : read(said, ask);
  };

  const answers: Responder = {
    name: 'skills',
    async respond({ say, ...ask }) {
      const question = await pendingQuestions.last(ask.exchanges, ask.turn.createdAt);
      if (question?.kind !== 'calendar.add') return null;
      const answer = await honest(ask, () => writing.answer(question, ask));
      if (answer === null) return null;
      say(answer.text);
      return plainAnswer(answer.text);
    },
  };

  const skill: Skill = createCalendarSkill({ client, say: reply, notes, unreachable, onFailure });

  return {
    answers,
    skill,
    whenKnown: writing.whenKnown,
    respond: (said: readonly Word[], ask: Ask): Promise<CalendarAnswer> =>
      honest(
        ask,
        async () =>
          writing.ofRooms(said, ask) ?? (await (asking.isAsked(said) ? answered : changed)(said, ask)),
      ),
  };
}

/** Readers for times, with the timers' words. */
function momentsOf({ files, rules, numbers: numberWords }: Language, dates: DateReader) {
  const { words } = loadSkill(files, 'timers', timersShape);
  const numbers = rules.createNumberReader(numberWords);
  const durations = rules.createDurationReader(words.durations, numbers);
  const times = rules.createTimeReader(words.times, numbers);
  // The calendar asks for the day itself.
  const moments = { ...words.moments, vague: {}, vague_from: [], soon: { minutes: [], hours: [] } };
  return { durations, moments: rules.createMomentReader({ words: moments, durations, dates, times }) };
}
