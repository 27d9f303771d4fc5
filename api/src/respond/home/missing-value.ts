import { domainOf } from '../../engines/home-templates.ts';
import { textOf, type Word, type WordReader } from '../../language/grammar/words.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { Question } from '../core/responder.ts';
import type { SayHome } from './home-reports.ts';
import { type HomeAsk, type HomeResult, no } from './home-result.ts';
import type { HomeWords } from './understand/home-words.ts';

/** No spoken value is longer. */
const maxWords = 8;

interface MissingValueOptions {
  pendingQuestions: Pick<HouseholdQuestions, 'note' | 'last'>;
  words: Pick<HomeWords, 'value_lead' | 'values'>;
  readWords: WordReader;
  reply: SayHome;
}

/** The question for the value of a domain. */
const askedOf = {
  light: 'which_brightness',
  media_player: 'which_volume',
  climate: 'which_temperature',
  water_heater: 'which_temperature',
  cover: 'which_position',
  valve: 'which_position',
  fan: 'which_speed',
} as const;

const isAsked = (domain: string): domain is keyof typeof askedOf => domain in askedOf;

type Asker = Pick<HomeAsk, 'turn' | 'asksNothing'>;

export type MissingValue = ReturnType<typeof createMissingValue>;

/** Asks for the value that a command lacks ("to what volume?"), and reads it in the answer: "40 percent". */
export function createMissingValue({ pendingQuestions, words: data, readWords, reply }: MissingValueOptions) {
  const [lead, values] = [new Set(data.value_lead), new Set(data.values)];
  const isValue = (word: string) => /^[\d%°]/.test(word) || values.has(word);
  /** Asks with these words. */
  const askFor = async (text: string, said: string, { turn, asksNothing }: Asker): Promise<HomeResult> => {
    if (!asksNothing) await pendingQuestions.note(turn, { kind: 'home.value', text });
    return no(said);
  };

  return {
    askFor,
    /** Asks, so that the next sentence of the conversation may answer. */
    async ask(text: string, ids: readonly string[], asker: Asker): Promise<HomeResult> {
      const [domain = '', ...others] = new Set(ids.map(domainOf));
      const asks = isAsked(domain) && others.length === 0 ? askedOf[domain] : 'which_value';
      const said = reply(asker.asksNothing ? 'which_value_whole' : asks, {}, asker.turn);
      return await askFor(text, said, asker);
    },

    /** The whole command. Null: nothing was asked, or the sentence is no value. */
    async completed({ exchanges, turn }: Pick<Question, 'exchanges' | 'turn'>): Promise<string | null> {
      const said = readWords(turn.text);
      if (exchanges.length === 0 || said.length > maxWords) return null;
      const isTelling = ({ word }: Word) => !lead.has(word);
      const value = said.slice(said.findIndex(isTelling), said.findLastIndex(isTelling) + 1);
      if (value.length === 0 || !value.every(({ word }) => isValue(word))) return null;
      const question = await pendingQuestions.last(exchanges, turn.createdAt);
      if (question?.kind !== 'home.value') return null;
      return question.text.replace('{value}', () => textOf(turn.text, value));
    },
  };
}
