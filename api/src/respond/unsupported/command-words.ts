import { z } from 'zod';

const needed = z.array(z.string().trim().min(1));
/** A language may lack these. */
const texts = needed.default([]);

/** Things that Hearth manages. */
export const hearthTopics = ['timer', 'list', 'home', 'sound', 'self'] as const;
export type HearthTopic = (typeof hearthTopics)[number];

/** The words of `skills/unsupported.yaml`. */
export const commandWordsSchema = z.strictObject({
  things: z.record(z.enum(hearthTopics), needed),
  verbs: z.record(z.enum(hearthTopics), needed),
  /** Beginnings of a request for a new timer, and words that show a time behind them. */
  new_timers: needed,
  /** The same without a verb: "ALARM FOR seven to eight". */
  bare_timers: texts,
  time_words: needed,
  /** Things that Hearth can create. */
  creatable: needed,
  definite: needed,
  /** Words between a new thing and its name: "a list CALLED food". */
  named: texts,
  indefinite: needed,
  /** Words between a thing and what it contains: "a list OF rivers". */
  of: texts,
  of_lists: texts,
  /** Words before a thing that is only mentioned. */
  about: texts,
  /** Words before the object of an action. */
  at: texts,
  /** Words before a place or a moment: "turn left AT the lights". */
  places: texts,
  /** Verbs whose command may name only the place: "SET a mood in the kitchen". */
  controls: texts,
  whom: texts,
  references: texts,
  /** Actions that need hands or an account, so the assistant cannot perform them. */
  acts: texts,
  /** Idioms that begin like such an action: "call it a day". */
  sayings: texts,
  /** Actions that only people perform on things at home: "HOLD the door". */
  by_people: texts,
  /** Words for the addressed person: "wash YOUR hands". */
  of_you: texts,
  /** Objects that are text or thoughts: "print a POEM", "pay ATTENTION". "BY" sorts: "order BY size". */
  of_words: texts,
  /** "Do that" is not a question. */
  do: texts,
  do_objects: texts,
  /** Housework after "do", which only people can perform. */
  chores: texts,
  /** Words that may follow such housework. */
  chores_before: texts,
  openers: needed,
  wishes: needed,
  own_wishes: texts,
  needs: texts,
  wants: texts,
  nots: needed,
  /** Verbs that request text. */
  words: needed,
  /** Verbs that request text or an action. */
  either: texts,
  /** The first word of a question. */
  questions: needed,
  never_first: needed,
  never_second: texts,
  before_command: texts,
  /** Word endings with which no command begins. */
  endings: texts,
  but_endings: texts,
  past: z.string().optional(),
  /** After a wish, the verb comes last: "kannst du den Wecker VERSCHIEBEN". */
  verb_last: z.boolean().default(false),
});

export type CommandWords = z.infer<typeof commandWordsSchema>;
