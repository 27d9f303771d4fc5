import { z } from 'zod';

const texts = z.array(z.string().trim().min(1));

/** Things that Hearth keeps or controls. */
export const hearthTopics = ['timer', 'list', 'home', 'sound', 'self'] as const;
export type HearthTopic = (typeof hearthTopics)[number];

/** The words of `skills/unsupported.yaml`. */
export const commandWordsSchema = z.strictObject({
  things: z.record(z.enum(hearthTopics), texts),
  verbs: z.record(z.enum(hearthTopics), texts),
  /** Of these a new one can be made. */
  creatable: texts,
  definite: texts,
  /** Behind a thing that is new: what it is to be called. */
  named: texts,
  indefinite: texts,
  /** Behind a thing: what it is one of. */
  of: texts,
  of_lists: texts,
  /** Before a thing that is only spoken about. */
  about: texts,
  /** Before a thing to which something is done. */
  at: texts,
  /** Before a place or a moment: "turn left AT the lights". */
  places: texts,
  /** With these a command may name only the place: "SET a mood in the kitchen". */
  controls: texts,
  whom: texts,
  references: texts,
  /** Deeds in the world that an assistant without hands and without accounts cannot do. */
  acts: texts,
  /** Longer than such a deed, these are sayings: "call it a day". */
  sayings: texts,
  /** To things of a home only people do this: "HOLD the door". */
  by_people: texts,
  /** Of the one spoken to: "wash YOUR hands". */
  of_you: texts,
  /** Objects that are words or thoughts: "print a POEM", "pay ATTENTION". "BY" sorts: "order BY size". */
  of_words: texts,
  /** "Do that" is no question. */
  do: texts,
  do_objects: texts,
  /** Behind "do": work in a house that only people can do. */
  chores: texts,
  /** Behind such work. */
  chores_before: texts,
  openers: texts,
  wishes: texts,
  own_wishes: texts,
  needs: texts,
  wants: texts,
  nots: texts,
  /** They ask for words. */
  words: texts,
  /** They ask for words or for a deed. */
  either: texts,
  /** The first word of a question. */
  questions: texts,
  never_first: texts,
  never_second: texts,
  before_command: texts,
  /** No command begins with a word that ends like this. */
  endings: texts,
  but_endings: texts,
  past: z.string(),
});

export type CommandWords = z.infer<typeof commandWordsSchema>;
