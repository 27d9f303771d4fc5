import type { ChoiceReader } from '../../language/grammar/choice-reader.ts';
import type { Word, WordReader } from '../../language/grammar/words.ts';
import { fill, joined } from '../../language/phrase.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { Question } from '../core/responder.ts';
import type { ThingChoice } from './home-records.ts';
import type { SayHome } from './home-reports.ts';
import { type HomeAsk, type HomeResult, no } from './home-result.ts';
import type { House } from './house.ts';
import type { ThingIndex } from './thing-index.ts';
import type { HomeWords } from './understand/home-words.ts';

/** Names in a question. More cannot be remembered by ear. */
const maxNamed = 5;

interface WhichThingOptions {
  pendingQuestions: Pick<HouseholdQuestions, 'note' | 'last'>;
  house: Pick<House, 'roomOf'>;
  index: Pick<ThingIndex, 'find'>;
  words: Pick<HomeWords, 'in_area' | 'between' | 'or' | 'last' | 'refer_on'>;
  readWords: WordReader;
  choose: ChoiceReader;
  reply: SayHome;
}

/** A command, and the entities that the person chose for it. */
interface ChosenThings {
  text: string;
  things: readonly ThingChoice[];
  /** The answer fits several, and does not say that it means all of them. */
  isUnclear: boolean;
}

export type WhichThing = ReturnType<typeof createWhichThing>;

/** Asks which of several entities a command means, and reads the answer. */
export function createWhichThing(options: WhichThingOptions) {
  const { pendingQuestions, house, index, words: data, readWords, choose, reply } = options;

  const wordsOf = ({ id, name }: ThingChoice): Set<string> =>
    new Set(readWords(`${name} ${house.roomOf(id) ?? ''}`).map(({ word }) => word));

  /** The choices with exactly this name, or that have every word, or that the words describe. */
  const described = (said: readonly Word[], choices: readonly ThingChoice[]): readonly ThingChoice[] => {
    const exact = choices.filter(({ name }) => isSame(readWords(name), said));
    if (exact.length > 0) return exact;
    const fits = choices.filter((choice) => {
      const known = wordsOf(choice);
      return said.every(({ word }) => known.has(word));
    });
    if (fits.length > 0) return fits;
    const ids = new Set(index.find(said.map(({ word }) => word).join(' ')));
    return choices.filter(({ id }) => ids.has(id));
  };

  /** Things of one name are told apart by their rooms. Null: they cannot be told apart. */
  const namesOf = (things: readonly ThingChoice[]): readonly string[] | null => {
    const isDistinct = (names: readonly string[]) => new Set(names).size === names.length;
    const bare = things.map(({ name }) => name);
    if (isDistinct(bare)) return bare;
    const withRoom = things.map(({ id, name }) => {
      const area = house.roomOf(id);
      return area === null ? name : fill(data.in_area, { target: name, area });
    });
    return isDistinct(withRoom) ? withRoom : null;
  };

  const joinedNames = (things: readonly ThingChoice[]) =>
    joined(namesOf(things) ?? things.map(({ name }) => name), { between: data.between, last: data.last });

  return {
    /** Asks, so that the next sentence of the conversation may answer. */
    async ask(
      text: string,
      things: readonly ThingChoice[],
      { turn, asksNothing }: Pick<HomeAsk, 'turn' | 'asksNothing'>,
    ): Promise<HomeResult> {
      const names = namesOf(things);
      if (names === null) return no(reply('same_name', { bare: things[0]?.name ?? '' }, turn));
      const offered = joined(names.slice(0, maxNamed), { between: data.between, last: data.or });
      if (asksNothing) return no(reply('which_one_whole', { names: offered }, turn));
      const choices = things.map(({ id, name }) => ({ id, name }));
      await pendingQuestions.note(turn, { kind: 'home.which', text, choices });
      return no(reply('which_one', { names: offered }, turn));
    },

    /** Asks whether the command is really meant for all of these. */
    async confirm(
      text: string,
      things: readonly ThingChoice[],
      { turn }: Pick<HomeAsk, 'turn'>,
    ): Promise<HomeResult> {
      const choices = things.map(({ id, name }) => ({ id, name }));
      await pendingQuestions.note(turn, { kind: 'home.sweeping', text, choices });
      if (things.length > maxNamed) return no(reply('sure_of_many', { count: String(things.length) }, turn));
      return no(reply('sure_of', { names: joinedNames(things) }, turn));
    },

    /** Tells that heatings are off, and offers to turn them on. */
    async offerHeating(
      things: readonly ThingChoice[],
      { turn, asksNothing }: Pick<HomeAsk, 'turn' | 'asksNothing'>,
    ): Promise<HomeResult> {
      if (asksNothing) return no(reply('heating_off', {}, turn));
      const choices = things.map(({ id, name }) => ({ id, name }));
      const text = fill(data.refer_on, { target: joinedNames(things) });
      await pendingQuestions.note(turn, { kind: 'home.sweeping', text, choices });
      return no(reply('heating_off_offer', {}, turn));
    },

    /** Reads which things an answer chooses. Null: nothing was asked, or the sentence does not answer it. */
    async chosen({ exchanges, turn }: Pick<Question, 'exchanges' | 'turn'>): Promise<ChosenThings | null> {
      if (exchanges.length === 0) return null;
      const question = await pendingQuestions.last(exchanges, turn.createdAt);
      if (question?.kind !== 'home.which') return null;
      const { text, choices } = question;
      const chosen = choose(turn.text, choices, (said) => described(said, choices));
      return chosen && { text, ...chosen };
    },
  };
}

function isSame(words: readonly Word[], others: readonly Word[]): boolean {
  return words.length === others.length && words.every(({ word }, at) => word === others[at]?.word);
}
