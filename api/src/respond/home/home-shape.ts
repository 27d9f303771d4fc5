import { homeWordsSchema } from './home-words.ts';
import { homeIntents } from './understood.ts';

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
    not_known_here: ['bare', 'room'],
    not_possible: ['target'],
    which_room: [],
    no_question: [],
    broke: [],
    acted: ['text'],
    not_later: [],
    not_a_command: [],
    unreachable: [],
    lost: [],
    slow: [],
    late: [],
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
