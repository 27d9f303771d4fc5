import { createGrammar } from '../../language/grammar/grammar.ts';
import type { Language } from '../../language/language.ts';
import { aside, plainAnswer, type Question, type Responder } from '../core/responder.ts';
import { loadSkill } from '../core/skill-language.ts';
import type { MayAct } from '../home/not-understood.ts';
import { homeShape } from '../home/understand/home-shape.ts';
import { createCommandReader, type SentenceKind } from './command-reader.ts';
import { commandWordsSchema } from './command-words.ts';

const shape = {
  replies: { timer: [], list: [], home: [], sound: [], self: [], reference: [], act: [], never: [] },
  words: commandWordsSchema,
} as const;

type Asked = Pick<Question, 'turn' | 'exchanges'>;

export interface Unsupported {
  /** The kind of a question. */
  kindOf(asked: Asked): SentenceKind;
  /** The answer to a command that no responder supports. Null: the language model may answer. */
  replyTo(asked: Asked): string | null;
}

interface UnsupportedOptions {
  language: Pick<Language, 'files' | 'grammar'>;
  /** The names of rooms and entities in the house. */
  names?: () => readonly string[];
}

/**
 * Answers commands that no rule understands with fixed sentences. A language model without tools never sees
 * them, because it would claim to have acted.
 */
export function createUnsupported({ language, names = () => [] }: UnsupportedOptions): Unsupported {
  const { reply, words } = loadSkill(language.files, 'unsupported', shape);
  const home = loadSkill(language.files, 'home', homeShape).words;
  const { read } = createCommandReader({
    words,
    readWords: createGrammar(language.grammar).readWords,
    homeThings: [...Object.values(home.devices).flat(), ...home.rooms],
    names,
  });
  const kindOf = ({ turn, exchanges }: Asked) =>
    read(turn.text, { refersBack: exchanges.at(-1)?.isOurs === true });

  return {
    kindOf,
    replyTo(asked) {
      const found = kindOf(asked);
      if (found.kind !== 'command') return null;
      return reply(found.isNegative ? 'never' : found.topic, {}, asked.turn);
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
