import type { z } from 'zod';
import { longestPhraseEnd } from '../../../language/grammar/phrase-at.ts';
import type { Word } from '../../../language/grammar/words.ts';
import type { Adjunct, AdjunctPhrase, Intent } from '../../core/skill.ts';
import type { SayReply } from '../../core/skill-language.ts';
import { manners } from './timer-asks.ts';
import type { TimerSaid } from './timer-slots.ts';
import type { limitWordsSchema, TimerReply } from './timers-shape.ts';

type LimitWords = z.infer<typeof limitWordsSchema>;

interface TimerLimitsOptions {
  words: LimitWords & { nouns: Readonly<Record<string, readonly string[]>> };
  intents: readonly string[];
  reply: SayReply<TimerReply>;
}

export type TimerLimits = ReturnType<typeof createTimerLimits>;

/** How many words before the sign to search for a word such as "ASK": "ask Anna if". */
const maxAsking = 2;

/** Finds wishes that no timer can fulfil, so that they are refused and not dropped. */
export function createTimerLimits({ words, intents, reply }: TimerLimitsOptions) {
  const findCondition = createConditionFinder(words);
  const adjunct = { intents, textSlots: [...manners, 'text', 'name'] };
  const adjuncts: readonly Adjunct[] = [
    { ...adjunct, slot: 'ringing', find: createRingingFinder(words) },
    { ...adjunct, slot: 'condition', find: findCondition },
  ];
  const refusing = (intent: Intent<TimerSaid>): Intent<TimerSaid> => ({
    ...intent,
    answer(ask, said) {
      if (said.condition) return reply('no_condition', {}, ask.turn);
      return said.ringing ? reply('rings_alike', {}, ask.turn) : intent.answer(ask, said);
    },
  });
  return {
    adjuncts,
    /** Whether a text waits for something: "lock the door WHEN ANNA LEAVES". */
    waits: (said: readonly Word[]): boolean => findCondition(said).length > 0,
    /** The same intents, which refuse such a wish. */
    refuse: (all: Readonly<Record<string, Intent<TimerSaid>>>): Readonly<Record<string, Intent<TimerSaid>>> =>
      Object.fromEntries(Object.entries(all).map(([name, intent]) => [name, refusing(intent)])),
  };
}

function createRingingFinder({ ringing, nouns }: TimerLimitsOptions['words']) {
  const all = Object.values(nouns).flat();
  const isNoun = (said: readonly Word[], at: number) => longestPhraseEnd(all, said, at) !== null;
  return (said: readonly Word[]): AdjunctPhrase[] =>
    said.flatMap((_, from): AdjunctPhrase[] => {
      const end = longestPhraseEnd(ringing.adjectives, said, from);
      if (end !== null && isNoun(said, end)) return [{ from, to: end, nameAt: from, isKnown: true }];
      const to = longestPhraseEnd(ringing.adverbs, said, from);
      return to === null ? [] : [{ from, to, nameAt: from, isKnown: false }];
    });
}

function createConditionFinder({ condition }: LimitWords) {
  const { signs, polite, weather, places, asking, commands } = condition;
  const checked = [...weather, ...places];
  const isChecked = (said: readonly Word[]) =>
    said.some((_, at) => longestPhraseEnd(checked, said, at) !== null);
  const asks = (said: readonly Word[], from: number) =>
    said.slice(Math.max(0, from - maxAsking), from).some(({ word }) => asking.includes(word));
  /** At the start a condition ends at a pause or a command, elsewhere with the sentence. */
  const endOf = (said: readonly Word[], from: number): number => {
    if (from > 0) return said.length;
    return said.findIndex(({ word, gap }, at) => at > 0 && (gap === ',' || commands.includes(word)));
  };
  return (said: readonly Word[]): AdjunctPhrase[] =>
    said.flatMap((_, from): AdjunctPhrase[] => {
      const sign = longestPhraseEnd(signs, said, from);
      const to = endOf(said, from);
      const isPolite = longestPhraseEnd(polite, said, from) !== null;
      if (sign === null || isPolite || to < sign || asks(said, from)) return [];
      const isKnown = isChecked(said.slice(from, to));
      // "before I leave" is a sign and a condition at once.
      return to > sign || isKnown ? [{ from, to, nameAt: from, isKnown }] : [];
    });
}
