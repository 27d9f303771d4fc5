import { createClock } from '../../../language/calendar/time-zones.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import type { NumberReader } from '../../../language/numbers/number-reader.ts';
import { rulesOf } from '../../../language/rules.ts';
import type { TimerStore } from '../../../timers/timer-store.ts';
import type { AskedBack } from '../../asked-back.ts';
import { createDateWords, loadClock } from '../clock/clock-language.ts';
import type { Ask, Intent, Skill } from '../skill.ts';
import { loadSkill } from '../skill-language.ts';
import { createTimerActions } from './timer-actions.ts';
import { isOpen } from './timer-asks.ts';
import { createTimerCancelling } from './timer-cancelling.ts';
import { createTimerChanging, type Picking } from './timer-changing.ts';
import { createTimerChoice } from './timer-choice.ts';
import { createTimerQuestions } from './timer-questions.ts';
import { createTimerSetting } from './timer-setting.ts';
import { createTimerTeller } from './timer-telling.ts';
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
  Parameters<typeof createTimerChanging>[0],
  'actions' | 'choice' | 'read' | 'reply' | 'say'
>;

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
  const answer = async (ask: Ask): Promise<string | null> => {
    const question = await asked.last(ask.exchanges, ask.turn.createdAt);
    if (question?.kind === 'timer.which') return changing.chosen(question, ask);
    return question && isOpen(question) ? setting.answerTo(question, ask) : null;
  };

  const whichQuestion = async (ask: Ask) => {
    const question = await asked.last(ask.exchanges, ask.turn.createdAt);
    return question?.kind === 'timer.which' ? question : null;
  };
  const chosenBy = (pick: Picking) => async (ask: Ask) => {
    const question = await whichQuestion(ask);
    return question && changing.chosenBy(question, ask, pick);
  };
  const inPlace = (place: number) => does(chosenBy(({ ids }) => ids.at(place)));
  const ofAge = (place: number) =>
    does(chosenBy(({ all }) => all.toSorted((one, other) => one.setAt - other.setAt).at(place)?.id));
  const chosenAll = async (ask: Ask) => {
    const question = await whichQuestion(ask);
    return question && changing.chosenAll(question, ask);
  };

  const does = (act: Intent['answer']): Intent => ({ effect: 'undoable', answer: act });
  const tells = (act: Intent['answer']): Intent => ({ effect: 'none', answer: act });
  /** "Set a timer": the time may still be said. */
  const asksBack = (act: Intent['answer']): Intent => ({ effect: 'none', mayGoOn: true, answer: act });

  return {
    name: 'timers',
    ...language,
    slotTypes: read.slotTypes,
    intents: {
      set: does(async (ask) => (await changing.remake(ask)) ?? setting.set(ask)),
      set_until: does(setting.set_until),
      set_open: asksBack(setting.set_open),
      wake: does(async (ask) => (await changing.remake(ask)) ?? setting.wake(ask)),
      alarm: does(async (ask) => (await changing.remake(ask)) ?? setting.alarm(ask)),
      alarm_open: asksBack(setting.alarm_open),
      remind: does(setting.remind),
      remind_open: asksBack(setting.remind_open),
      repeats: tells(({ turn }) => reply('no_repeats', {}, turn)),
      unwanted: tells(() => null),
      unclear: tells(({ turn }) => reply('not_understood', {}, turn)),
      answer: does(answer),
      which: does(answer),
      which_all: does(chosenAll),
      which_first: inPlace(0),
      which_second: inPlace(1),
      which_third: inPlace(2),
      // Of two; of three it is not known which other.
      which_other: does(chosenBy(({ ids }) => (ids.length === 2 ? ids[1] : undefined))),
      which_last: inPlace(-1),
      which_oldest: ofAge(0),
      which_newest: ofAge(-1),
      left: tells(asking.left),
      when: tells(asking.when),
      when_wake: tells(asking.when_wake),
      when_remind: tells(asking.when_remind),
      list: tells(asking.list),
      list_reminders: tells(asking.list_reminders),
      did: tells(asking.did),
      did_wake: tells(asking.did_wake),
      change: does(changing.change),
      restart: does(changing.restart),
      pause: tells(changing.pause),
      cancel: does(cancelling.cancel),
      cancel_all: does(cancelling.cancel_all),
      no_wake: does(cancelling.no_wake),
      no_remind: does(cancelling.no_remind),
      // What rings here is only made quiet: doubtful words may do that, and nobody has to wait for it.
      quiet: tells(changing.quiet),
      snooze: does(changing.snooze),
    },
    actions: actions.kinds,
    quiet: changing.quiet,
    talk: { actions, choice, read, reply, say },
  };
}
