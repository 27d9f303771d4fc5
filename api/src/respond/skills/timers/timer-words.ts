import type { z } from 'zod';
import type { SaidMoment } from '../../../language/calendar/moment-reader.ts';
import { skipPhrase } from '../../../language/grammar/phrase-at.ts';
import type { SlotType } from '../../../language/grammar/walk.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { NumberReader, Read } from '../../../language/numbers/number-reader.ts';
import type { LanguageRules } from '../../../language/rules.ts';
import type { loadClock } from '../clock/clock-language.ts';
import { typeOf } from '../slot.ts';
import { createRepeatReader } from './repeat-words.ts';
import { createTimerNames } from './timer-names.ts';
import type { timersShape } from './timers-shape.ts';

interface TimerWordsOptions {
  words: z.infer<(typeof timersShape)['words']>;
  clockWords: ReturnType<typeof loadClock>['words'];
  numbers: NumberReader;
  rules: LanguageRules;
}

export type TimerWords = ReturnType<typeof createTimerWords>;

/** Reads the words about timers: durations, moments, names. */
export function createTimerWords({ words, clockWords, numbers, rules }: TimerWordsOptions) {
  const durations = rules.createDurationReader(words.durations, numbers);
  const times = rules.createTimeReader(words.times, numbers);
  const dates = rules.createDateReader(clockWords, numbers);
  const moments = rules.createMomentReader({ words: words.moments, durations, dates, times });
  const names = createTimerNames({ words, numbers, durations, moments });

  const readRepeat = createRepeatReader({ words, durations, numbers });

  /** A few words of any kind. */
  const few: SlotType = {
    isLoose: true,
    costPerWord: 3,
    ends: (said, from) => [1, 2, 3].map((count) => from + count).filter((end) => end <= said.length),
  };

  /** "for tomorrow morning", "at ten": when a timer that there is rings. */
  const readSpan = (said: readonly Word[], from: number): Read<SaidMoment> | null => {
    const found = moments.readBare(said, skipPhrase(words.span_from, said, from));
    return found?.value.after === null ? found : null;
  };

  const durationIf = (isMore: boolean) => (said: readonly Word[], from: number) => {
    const found = durations.read(said, from);
    return found && found.value.isMore === isMore ? found : null;
  };

  return {
    durations,
    dates,
    moments,
    names,
    readSpan,
    readRepeat,
    /** Whether words end where more must come: "call Bob at five and". */
    isCut: (said: readonly Word[]) => words.joining.includes(said.at(-1)?.word ?? ''),
    /** Of the words right behind a reminder, the part that belongs to it too: "sorry", "again". */
    ownEnd(behind: string): string {
      const said = /^(?:\s+[\p{L}\p{M}'’]+)*/u.exec(behind)?.[0] ?? '';
      const parts = said.match(/\s+\S+/g) ?? [];
      const polite = parts.findIndex((part) => words.polite.includes(part.trim().toLowerCase()));
      return (polite < 0 ? parts : parts.slice(0, polite)).join('');
    },
    /** Whether a time of day stands among words: "be there at five". */
    hasTime: (said: readonly Word[]) => said.some((_, at) => moments.read(said, at)?.value.time != null),
    /** Whether something is to happen again and again. */
    isRepeated: (said: readonly Word[]) => said.some((_, at) => readRepeat(said, at) !== null),
    slotTypes: {
      duration: typeOf(durationIf(false)),
      more: typeOf(durationIf(true)),
      moment: typeOf(moments.read),
      time: typeOf(moments.readBare),
      span: typeOf(readSpan),
      day: typeOf((said, from) => {
        const found = readSpan(said, from);
        return found?.value.time === null ? found : null;
      }),
      which: { ...typeOf(names.readTimer), costPerWord: 1 },
      /** "alarms", "my next alarm": asked for as they are. One alone may be an answer. */
      several: typeOf((said, from) => {
        const found = names.readTimer(said, from);
        return found && (found.value.several || found.value.isSoonest) ? found : null;
      }),
      label: names.nameSlot,
      few,
      room: names.roomSlot,
      every: typeOf(readRepeat),
    } satisfies Record<string, SlotType>,
  };
}
