import { homeIntents } from './home-grammar.ts';
import { homeWordsSchema } from './home-words.ts';

/** What `skills/home.yaml` holds. */
export const homeShape = {
  intents: homeIntents,
  replies: {
    said: ['text'],
    ok: [],
    silent_one: ['things_start'],
    silent_some: ['things_start'],
    not_yet: ['things'],
    not_yet_some: ['things'],
    unsure: [],
    did_some: ['text', 'problem'],
    not_known: ['bare'],
    not_possible: ['target'],
    which_room: [],
    no_question: [],
    broke: [],
    acted: ['text'],
    not_a_command: [],
    unreachable: [],
    lost: [],
    slow: [],
    slow_question: [],
    starting: [],
    refused: [],
    missing: [],
    broken: [],
    did: ['text'],
    undid: ['things'],
    undo_failed: [],
    cannot_undo: [],
  },
  words: homeWordsSchema,
} as const;
