import { createGrammar } from '../../language/grammar/grammar.ts';
import type { Word } from '../../language/grammar/words.ts';
import { hasSkill, type Language } from '../../language/language.ts';
import { aside, plainAnswer, type Question, type Responder } from '../core/responder.ts';
import { loadSkill } from '../core/skill-language.ts';
import type { MayAct } from '../home/not-understood.ts';
import { homeShape } from '../home/understand/home-shape.ts';
import { loadClock } from '../skills/clock/clock-language.ts';
import { createCommandReader, type SentenceKind } from './command-reader.ts';
import { type CommandWords, commandWordsSchema } from './command-words.ts';
import { createTemplateFinder } from './phrases.ts';

const shape = {
  replies: {
    timer: [],
    time: [],
    list: [],
    home: [],
    sound: [],
    self: [],
    reference: [],
    act: [],
    never: [],
  },
  words: commandWordsSchema,
} as const;

type Asked = Pick<Question, 'turn' | 'exchanges'>;

export interface Unsupported {
  /** The kind of a question. */
  kindOf(sentence: Asked): SentenceKind;
  /** Whether it has the form of a question or a request, as opposed to a remark. */
  mayBeRequest(sentence: Asked): boolean;
  /** The answer to a command that no responder supports. Null: the language model may answer. */
  replyTo(sentence: Asked): string | null;
}

interface UnsupportedOptions {
  language: Pick<Language, 'files' | 'grammar' | 'numbers' | 'rules'>;
  /** The names of rooms and entities in the house. */
  names?: () => readonly string[];
}

/**
 * Answers commands that no rule understands with fixed sentences. A language model without tools never sees
 * them, because it would claim to have acted.
 */
export function createUnsupported({ language, names = () => [] }: UnsupportedOptions): Unsupported {
  const { reply, words } = loadSkill(language.files, 'unsupported', shape);
  const home = hasSkill(language.files, 'home') ? loadSkill(language.files, 'home', homeShape).words : null;
  const grammar = createGrammar(language.grammar);
  const { read, opensRequest } = createCommandReader({
    words,
    readWords: grammar.readWords,
    homeThings: home ? [...Object.values(home.devices).flat(), ...home.rooms] : [],
    names,
  });
  const unread = createUnreadTime(language, words);
  const kindOf = ({ turn, exchanges }: Asked): SentenceKind => {
    const found = read(turn.text, { refersBack: exchanges.at(-1)?.isOurs === true });
    const isBare = found.kind === 'talk' && unread.isBare(turn.text);
    return isBare ? { kind: 'command', topic: 'timer', isNegative: false } : found;
  };

  return {
    kindOf,
    mayBeRequest(sentence) {
      const { text } = sentence.turn;
      if (text.trimEnd().endsWith('?') || grammar.beginsToAsk(grammar.readWords(text))) return true;
      return kindOf(sentence).kind !== 'talk' || opensRequest(text);
    },
    replyTo(sentence) {
      const found = kindOf(sentence);
      if (found.kind !== 'command') return null;
      if (found.isNegative) return reply('never', {}, sentence.turn);
      const isTime =
        found.topic === 'timer' && (unread.isNew(sentence.turn.text) || unread.isBare(sentence.turn.text));
      return reply(isTime ? 'time' : found.topic, {}, sentence.turn);
    },
  };
}

/** Finds requests for a new timer with words of a time that no rule understood. */
function createUnreadTime(
  { files, grammar, numbers, rules }: UnsupportedOptions['language'],
  words: CommandWords,
) {
  const { readWords } = createGrammar(grammar);
  const opens = createTemplateFinder(words.new_timers, readWords);
  const bare = createTemplateFinder(words.bare_timers, readWords);
  const clock = loadClock(files).words;
  const number = rules.createNumberReader(numbers);
  const dates = rules.createDateReader(clock, number);
  const isTime = (said: readonly Word[], at: number): boolean =>
    /\d/.test(said[at]?.word ?? '') ||
    words.time_words.includes(said[at]?.word ?? '') ||
    Object.hasOwn(clock.lengths, said[at]?.word ?? '') ||
    number.read(said, at) !== null ||
    dates.read(said, at) !== null;
  const hasTimeFrom = (said: readonly Word[], from: number) =>
    said.some((_, at) => at >= from && isTime(said, at));
  return {
    isNew(text: string): boolean {
      const said = readWords(text);
      const from = said.findIndex((_, at) => opens.at(said, at).length > 0);
      return from >= 0 && hasTimeFrom(said, from + 1);
    },
    /** "Alarm for seven to eight": without a verb, so the time must follow at once. */
    isBare(text: string): boolean {
      const said = readWords(text);
      const end = bare.at(said, 0).at(-1)?.end;
      return end !== undefined && isTime(said, end);
    },
  };
}

/**
 * Answers before the language model. `mayAct`: the model has tools and may try. The model never sees
 * forbidden actions.
 */
export function createUnsupportedResponder(unsupported: Unsupported, mayAct: MayAct): Responder {
  return {
    name: 'skills',
    async respond(question) {
      const { turn, settings, say } = question;
      // Another responder asks back about doubtful words.
      if (!turn.isSure) return null;
      const found = unsupported.kindOf(question);
      if (found.kind !== 'command' || (mayAct(settings) && !found.isNegative)) return null;
      const text = unsupported.replyTo(question);
      if (text === null) return null;
      say(text);
      return plainAnswer(text, aside(text));
    },
  };
}
