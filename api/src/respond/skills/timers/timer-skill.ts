import { createClock } from '../../../language/calendar/time-zones.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import { rulesOf } from '../../../language/rules.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { AskedBack } from '../../asked-back.ts';
import { createDateWords, loadClock } from '../clock/clock-language.ts';
import { type Ask, defineSkill, type Skill } from '../skill.ts';
import { loadSkill } from '../skill-language.ts';
import { createTimerActions } from './timer-actions.ts';
import { isOpen } from './timer-asks.ts';
import { createTimerCancelling } from './timer-cancelling.ts';
import { createTimerChanging, type Picking } from './timer-changing.ts';
import { createTimerChoice } from './timer-choice.ts';
import { createTimerQuestions } from './timer-questions.ts';
import { createTimerSetting } from './timer-setting.ts';
import { createTimerSlots, does, type TimerSaid, tells } from './timer-slots.ts';
import { createTimerTeller, type TimerTeller } from './timer-telling.ts';
import { createTimerWords } from './timer-words.ts';
import { timersShape } from './timers-shape.ts';

interface TimersOptions {
  files: LanguageFiles;
  numbers: NumberReader;
  /** The household's own. */
  timeZone: string;
  timers: TimerStore;
  asked: AskedBack;
}

export interface TimerSkill extends Skill {
  /** Ends what rings where somebody speaks, and says so. Null: nothing rings there. */
  quiet(ask: Ask): Promise<string | null>;
  /** The same functions for whoever else has understood what is wanted. */
  talk: TimerTalk;
}

export type TimerTalk = Pick<
  Parameters<typeof createTimerCancelling>[0],
  'actions' | 'choice' | 'read' | 'reply'
> & { say: TimerTeller };

/** Timers, alarms and reminders. */
export function createTimerSkill({ files, numbers, timeZone, timers, asked }: TimersOptions): TimerSkill {
  const { reply, words, ...language } = loadSkill(files, 'timers', timersShape);
  const clockWords = loadClock(files).words;
  const rules = rulesOf(files);
  const clock = createClock();
  const read = createTimerWords({ words, clockWords, numbers, rules });
  const say = createTimerTeller({
    words,
    dates: createDateWords(clockWords, rules),
    formOf: rules.formOf,
    clock,
    timeZone,
  });
  const actions = createTimerActions({ timers, reply, say });
  const here = { read, reply, say, clock, timeZone };
  const setting = createTimerSetting({ ...here, actions, asked });
  const choice = createTimerChoice({ ...here, timers, asked, nouns: words.nouns, formOf: rules.formOf });
  const asking = createTimerQuestions({ ...here, choice });
  const changing = createTimerChanging({ ...here, actions, choice, setting, timers });
  const cancelling = createTimerCancelling({ ...here, actions, choice, changing, timers });

  /** What is said for the answer to a question is one only behind that question. */
  const answer = async (ask: Ask, said: TimerSaid): Promise<string | null> => {
    const question = await asked.last(ask.exchanges, ask.turn.createdAt);
    if (question?.kind === 'timer.which') return changing.chosen(question, ask, said);
    return question && isOpen(question) ? setting.answerTo(question, ask, said) : null;
  };

  const whichQuestion = async (ask: Ask) => {
    const question = await asked.last(ask.exchanges, ask.turn.createdAt);
    return question?.kind === 'timer.which' ? question : null;
  };
  const chosenBy = (pick: Picking) =>
    does(async (ask: Ask) => {
      const question = await whichQuestion(ask);
      return question && changing.chosenBy(question, ask, pick);
    });
  const inPlace = (place: number) => chosenBy(({ ids }) => ids.at(place));
  const ofAge = (place: number) =>
    chosenBy(({ all }) => all.toSorted((one, other) => one.setAt - other.setAt).at(place)?.id);

  /** Of one that there is, "make it ten minutes" is a change. */
  const remakeOr = (set: (ask: Ask, said: TimerSaid) => Promise<string | null>) =>
    does(async (ask: Ask, said: TimerSaid) => (await changing.remake(ask, said)) ?? set(ask, said));

  const intents = {
    ...setting.intents,
    set: remakeOr(setting.set),
    wake: remakeOr(setting.wake),
    alarm: remakeOr(setting.alarm),
    repeats: tells(({ turn }) => reply('no_repeats', {}, turn)),
    unwanted: tells(() => null),
    unclear: tells(({ turn }) => reply('not_understood', {}, turn)),
    answer: does(answer),
    which: does(answer),
    which_all: does(async (ask) => {
      const question = await whichQuestion(ask);
      return question && changing.chosenAll(question, ask);
    }),
    which_first: inPlace(0),
    which_second: inPlace(1),
    which_third: inPlace(2),
    // Of two; of three it is not known which other.
    which_other: chosenBy(({ ids }) => (ids.length === 2 ? ids[1] : undefined)),
    which_last: inPlace(-1),
    which_oldest: ofAge(0),
    which_newest: ofAge(-1),
    ...asking,
    ...changing.intents,
    ...cancelling,
  };

  return {
    ...defineSkill({
      name: 'timers',
      ...language,
      slots: createTimerSlots(read),
      slotTypes: read.slotTypes,
      intents,
      actions: actions.kinds,
    }),
    quiet: changing.quiet,
    talk: { actions, choice, read, reply, say },
  };
}
