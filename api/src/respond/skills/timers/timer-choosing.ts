import type { ChoiceReader } from '../../../language/grammar/choice-reader.ts';
import { joinedWords, type Word, type WordReader } from '../../../language/grammar/words.ts';
import type { Timer } from '../../../timers/timer.ts';
import type { Ask } from '../../core/skill.ts';
import { timerMoment } from './timer-names.ts';
import type { TimerOpenQuestion } from './timer-open-question.ts';
import type { TimerSteps, TimerStepsOptions } from './timer-steps.ts';
import type { TimerWords } from './timer-words.ts';

interface TimerChoosingOptions extends Pick<TimerStepsOptions, 'actions' | 'choice' | 'say'> {
  steps: TimerSteps;
  open: Pick<TimerOpenQuestion, 'last'>;
  read: Pick<TimerWords, 'durations' | 'moments' | 'names'>;
  readWords: WordReader;
  choose: ChoiceReader;
}

/** Reads the answer to "which timer?": a name, length, time or place alone, such as "pasta" or "at seven". */
export function createTimerChoosing(options: TimerChoosingOptions) {
  const { actions, choice, say, steps, open, read, readWords, choose } = options;

  /** The timers that are called so: "pasta" or "pasta timer". */
  const called = (said: readonly Word[], offered: readonly Timer[]): readonly Timer[] => {
    const labelled = read.names.withLabel(offered, joinedWords(said));
    if (labelled.length > 0) return labelled;
    return offered.filter((timer) => {
      const name = new Set(readWords(say.called(timer)).map(({ word }) => word));
      return said.every(({ word }) => name.has(word));
    });
  };
  const ofTime = (said: readonly Word[], offered: readonly Timer[], ask: Ask): readonly Timer[] => {
    const duration = read.durations.read(said, 0);
    const ms = duration?.end === said.length ? duration.value.ms : null;
    const ofLength = ms === null ? [] : offered.filter(({ durationMs }) => durationMs === ms);
    // "Sept heures" is a length or a time.
    if (ofLength.length > 0) return ofLength;
    const found = read.moments.readBare(said, 0);
    const moment = found?.end === said.length ? timerMoment(found.value) : null;
    if (!moment) return [];
    const meant = { label: null, duration: null, ...moment };
    return offered.filter((timer) => choice.meant([timer], { ...meant, kind: timer.kind }, ask).length > 0);
  };

  return async (ask: Ask): Promise<string | null> => {
    const question = await open.last(ask);
    if (question?.kind !== 'timer.which') return null;
    const active = await choice.active();
    const offered = question.ids.flatMap((id) => active.find((timer) => timer.id === id) ?? []);
    // A place counts those that are gone by now, too.
    if (offered.length < question.ids.length) return null;
    const chosen = choose(ask.turn.text, offered, (said) => {
      const found = called(said, offered);
      return found.length > 0 ? found : ofTime(said, offered, ask);
    });
    const [timer, ...others] = chosen?.things ?? [];
    if (!chosen || !timer) return null;
    const { step } = question;
    if (others.length === 0) return await steps.take(ask, timer, step);
    if (chosen.isUnclear) return await steps.takeOne(ask, chosen.things, step);
    const { how } = step;
    const isForSeveral = how === 'cancel' || how === 'pause' || how === 'resume';
    return isForSeveral ? await actions[how](ask, chosen.things) : null;
  };
}
