import type { ActionNotes } from '../../actions/action-notes.ts';
import type { HomeClient } from '../../engines/home-client.ts';
import { type HomeError, recovering } from '../../engines/home-fault.ts';
import { withMonthDays } from '../../language/calendar/month-day.ts';
import { createClock } from '../../language/calendar/time-zones.ts';
import { createGrammar } from '../../language/grammar/grammar.ts';
import type { Word } from '../../language/grammar/words.ts';
import { hasSkill, type Language } from '../../language/language.ts';
import { createCalendar } from '../calendar/calendar.ts';
import { createCalendarAnswers } from '../calendar/calendar-answers.ts';
import type { CalendarAction } from '../calendar/calendar-records.ts';
import type { CalendarWriter } from '../calendar/calendar-writer.ts';
import { type FactsAsk, homeFactsShape } from '../calendar/home-facts-shape.ts';
import { createQuestionDays } from '../calendar/question-days.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { Responder } from '../core/responder.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import { createDateWords, loadClock } from '../skills/clock/clock-language.ts';
import type { SunTimes } from '../skills/timers/sun-reader.ts';
import { createPlayerAnswers } from './player-answers.ts';
import { createRecordQuestions } from './record-questions.ts';
import { createSunAnswers, sunTimesFrom } from './sun-answers.ts';
import { createWeatherAnswers } from './weather-answers.ts';

/** A parsed question that a house may answer. */
interface FactsQuestion extends Ask {
  kind: string;
  said: readonly Word[];
  /** The place in the question. */
  place: readonly Word[];
}

interface FactsAnswer {
  text: string;
  /**
   * The version for the conversation, if the text contains text from outside: the model must not see that.
   */
  kept: string | null;
}

export interface HomeFacts {
  /** Null: the house cannot know. */
  answer(question: FactsQuestion): Promise<FactsAnswer | null>;
  /** The next sunrise and sunset. Null: Home Assistant does not report them. */
  sunTimes(signal: AbortSignal): Promise<SunTimes | null>;
  /** Sunrise and sunset, with separate sentences. */
  skill: Skill;
  /** Reports and undoes calendar changes. Null: the language has no sentences for them. */
  calendarSkill: Skill | null;
  /** Takes the answers to our calendar questions. */
  calendarAnswers: Responder | null;
  /** Answers personal questions from calendar entries and to-do items. */
  recordAnswers: Responder | null;
}

interface HomeFactsOptions {
  client: Pick<
    HomeClient,
    'facts' | 'players' | 'forecast' | 'sun' | 'calendars' | 'events' | 'lists' | 'listItems'
  > &
    CalendarWriter;
  pendingQuestions: HouseholdQuestions;
  notes: ActionNotes<CalendarAction>;
  thingsIn: (domains: readonly string[], room: string | null) => { id: string }[];
  language: Language;
  timeZone: string;
  onFailure: (error: HomeError) => void;
}

const { tells } = intentsOf();

/**
 * Answers about the weather, the calendar, the sun and players. Only the calendar can be changed, in a
 * language with sentences for it.
 */
export function createHomeFacts({
  client,
  thingsIn,
  language,
  timeZone,
  onFailure,
  pendingQuestions,
  notes,
}: HomeFactsOptions): HomeFacts {
  const { files, rules } = language;
  const { reply: say, words, sentencesOf } = loadSkill(files, 'home-facts', homeFactsShape);
  const clockWords = loadClock(files).words;
  const { weekday, date: dateOf, time } = createDateWords(clockWords, rules);
  const numbers = rules.createNumberReader(language.numbers);
  const dates = withMonthDays({
    dates: rules.createDateReader(clockWords, numbers),
    ...{ numbers, the: clockWords.the, ofMonth: words.of_month },
  });
  const days = createQuestionDays({
    words,
    dates,
    weekday,
    dateOf,
  });
  const clock = createClock();
  const here = (at: number) => clock(at, timeZone);

  const weather = createWeatherAnswers({ client, words, days, say, clock: here, formOf: rules.formOf });
  const asking = createCalendarAnswers({ client, words, days, say, clock, timeZone, time });
  const calendar = hasSkill(files, 'calendar')
    ? createCalendar({
        ...{ client, language, pendingQuestions, notes, days, dates, say, clock, timeZone, time, onFailure },
        factWords: words,
        asking,
      })
    : null;
  const playing = createPlayerAnswers({ client, thingsIn, say });
  const sun = createSunAnswers({ client, words, days, say, clock: here, time });

  const honest = (work: () => Promise<string | null>, { turn }: FactsAsk): Promise<string | null> =>
    recovering(work, (fault) => {
      onFailure(fault);
      return say('unreachable', {}, turn);
    });

  return {
    async answer({ kind, said, ...ask }) {
      if (kind === 'calendar' && calendar) return await calendar.respond(said, ask);
      const answers: Readonly<Record<string, () => Promise<string | null>>> = {
        weather: () => weather(said, ask),
        sun: () => sun.answer(said, ask),
        playing: () => playing(ask),
        // Without sentences for changes, only questions are answered.
        calendar: async () => (asking.isAsked(said) ? await asking.answer(said, ask) : null),
      };
      const work = answers[kind];
      const text = work ? await honest(work, ask) : null;
      // Titles come from outside.
      const isForeign = kind === 'playing' || kind === 'calendar';
      return text === null ? null : { text, kept: isForeign ? say('read_out', {}, ask.turn) : null };
    },
    sunTimes: (signal) =>
      recovering(
        async () => sunTimesFrom(await client.sun(signal)),
        (fault) => {
          onFailure(fault);
          return null;
        },
      ),
    calendarSkill: calendar?.skill ?? null,
    calendarAnswers: calendar?.answers ?? null,
    recordAnswers:
      calendar && words.records
        ? createRecordQuestions({
            ...{ client, words, days, asking, say, clock: here, whenKnown: calendar.whenKnown, onFailure },
            data: words.records,
            readWords: createGrammar(language.grammar).readWords,
          })
        : null,
    skill: defineSkill({
      name: 'home-facts',
      sentencesOf,
      slots: {},
      intents: {
        sunrise: tells((ask) => honest(() => sun.next('rising', ask), ask)),
        sunset: tells((ask) => honest(() => sun.next('setting', ask), ask)),
        dark: tells((ask) => honest(() => sun.next('dark', ask), ask)),
      },
    }),
  };
}
