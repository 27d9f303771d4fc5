import type { ActionNotes } from '../../../actions/action-notes.ts';
import { type AnnouncementPlace, announcementLimits } from '../../../announcements/announcement.ts';
import type { Announced, Announcements } from '../../../announcements/announcements.ts';
import { textOf, type Word, type WordReader } from '../../../language/grammar/words.ts';
import type { LanguageFiles } from '../../../language/language.ts';
import type { HouseholdQuestions } from '../../core/household-questions.ts';
import { type Ask, defineSkill, type Intent, intentsOf, type Skill } from '../../core/skill.ts';
import { loadSkill, type SayReply } from '../../core/skill-language.ts';
import { type SlotValues, textIn, wordsIn } from '../../core/slot.ts';
import type { AnnouncementAction } from './announce-asks.ts';
import { announceShape } from './announce-shape.ts';
import { type AnnouncementRooms, createAnnounceWords } from './announce-words.ts';

/** Listeners cannot follow more names. */
const maxNamed = 5;

const slots = {
  message: wordsIn(),
  said: wordsIn(),
  inner: wordsIn(),
  that: wordsIn(),
  deed: textIn(),
  meal: textIn(),
  rooms: wordsIn('spot', 'place'),
};
type Said = SlotValues<typeof slots>;

interface AnnounceSkillOptions {
  files: LanguageFiles;
  pendingQuestions: Pick<HouseholdQuestions, 'last' | 'note'>;
  announcements: Announcements;
  notes: Pick<ActionNotes<AnnouncementAction>, 'note'>;
  readWords: WordReader;
}

export interface AnnounceSkill extends Skill {
  /** Takes any words as the text, right after "What shall I announce?". Null: that was not asked. */
  textAfterQuestion(ask: Ask): Promise<string | null>;
}

/**
 * Announces a message in other rooms, and relays the answer. People hear it at once, so it cannot be undone.
 */
export function createAnnounceSkill({
  files,
  pendingQuestions,
  announcements,
  notes,
  readWords,
}: AnnounceSkillOptions): AnnounceSkill {
  const { reply, words, ...language } = loadSkill(files, 'announce', announceShape);
  const read = createAnnounceWords(words);
  const textFor = createTextReader(read, reply);

  /** Reports the result in one or two sentences. */
  const tell = ({ turn }: Ask, found: Announced): string => {
    const { playing, waiting, failed, missing } = found;
    const parts: string[] = [];
    const names = (spots: readonly AnnouncementPlace[]) => read.roomsSaid(spots.map(({ room }) => room));
    if (playing.length > maxNamed) parts.push(reply('told_many', { count: playing.length }, turn));
    else if (playing.length > 0) parts.push(reply('told', { rooms: names(playing) }, turn));
    if (waiting.length > 0) parts.push(reply('busy', { rooms: names(waiting) }, turn));
    if (failed.length > 0) parts.push(reply('failed', { rooms: names(failed) }, turn));
    if (missing.length > 0) parts.push(reply('missing', { rooms: read.roomsSaid(missing) }, turn));
    if (parts.length > 0) return parts.join(' ');
    return reply(found.isHere ? 'nobody_else' : 'nobody', {}, turn);
  };

  const announce = async (
    ask: Ask,
    { text, rooms, from }: { text: string; rooms: string[] | null; from: AnnouncementPlace | null },
  ): Promise<string> => {
    if (text.length > announcementLimits.characters) return reply('too_long', {}, ask.turn);
    await ask.beginActing();
    const { id, createdAt, conversation, language } = ask.turn;
    const found = await announcements.announce({ text, language, rooms, from, turn: id });
    if (found === null) return reply('maybe', {}, ask.turn);
    if (found.playing.length + found.waiting.length > 0)
      await notes.note({ kind: 'announcement.say', text, turn: id, at: createdAt }, conversation);
    return tell(ask, found);
  };

  /** In quiet hours, only after a yes. */
  const announceUnlessQuiet = async (ask: Ask, text: string, rooms: string[] | null): Promise<string> => {
    if (!announcements.isQuiet()) return announce(ask, { text, rooms, from: spotOf(ask) });
    await pendingQuestions.note(ask.turn, { kind: 'announcement', text, rooms });
    return reply('shall_disturb', {}, ask.turn);
  };

  const toRooms = async (ask: Ask, text: string, named: readonly Word[]): Promise<string | null> => {
    const meant = read.meant(named, await announcements.rooms());
    if (meant === null) return null;
    if (meant.people === null) return announceUnlessQuiet(ask, text, meant.rooms);
    await pendingQuestions.note(ask.turn, { kind: 'announcement', text, rooms: null });
    return reply('shall_all', { people: meant.people }, ask.turn);
  };

  const answer = async (ask: Ask, text: string): Promise<string | null> => {
    const { conversation } = ask.turn;
    const origin = conversation === null ? null : await announcements.lastOrigin(conversation);
    if (origin === null) return null;
    if (origin.room === null) return reply('no_way_back', {}, ask.turn);
    return announce(ask, { text, rooms: [origin.room], from: spotOf(ask) });
  };

  const intent = (act: (ask: Ask, text: string, said: Said) => Promise<string | null>): Intent<Said> => ({
    effect: 'final',
    answer(ask, said) {
      const text = textFor(ask, said);
      return text === null ? null : act(ask, text, said);
    },
  });

  /** "Make an announcement": asks for the text, unless nobody would hear it. */
  const askForText = async (ask: Ask, { rooms: named }: Pick<Said, 'rooms'>): Promise<string | null> => {
    const meant = named === null ? null : read.meant(named, await announcements.rooms());
    if (named !== null && meant === null) return null;
    const unheard = await announcements.unheard({ rooms: roomsOf(meant), from: spotOf(ask) });
    if (unheard !== null) return tell(ask, unheard);
    const rooms = named && textOf(ask.turn.text, named);
    await pendingQuestions.note(ask.turn, { kind: 'announcement.text', rooms });
    return reply('what', {}, ask.turn);
  };

  const textAfterQuestion = async (ask: Ask): Promise<string | null> => {
    const { turn, exchanges } = ask;
    const open = await pendingQuestions.last(exchanges, turn.createdAt);
    if (open?.kind !== 'announcement.text') return null;
    const text = read.rest(turn.text, readWords(turn.text));
    const named = open.rooms === null ? null : readWords(open.rooms);
    if (turn.isSure) return named === null ? announceUnlessQuiet(ask, text, null) : toRooms(ask, text, named);
    const meant = named === null ? null : read.meant(named, await announcements.rooms());
    await pendingQuestions.note(turn, { kind: 'announcement', text, rooms: roomsOf(meant) });
    return reply('shall_announce', { text }, turn);
  };

  const skill = defineSkill({
    name: 'announce',
    ...language,
    slots,
    slotTypes: read.slotTypes,
    intents: {
      everybody: intent((ask, text) => announceUnlessQuiet(ask, text, null)),
      rooms: intent(async (ask, text, { rooms }) => (rooms === null ? null : toRooms(ask, text, rooms))),
      open: intentsOf<Said>().asksBack(askForText),
      reply: intent(answer),
    },
    actions: {
      'announcement.say': {
        tell: ({ text }, turn) => reply('did', { text }, turn),
        // People heard it; the person does not mean the previous action.
        undo: async (_found, { turn }) => reply('cannot_undo', {}, turn),
      },
    },
    onYes: {
      announcement: ({ text, rooms }, ask) => announce(ask, { text, rooms, from: spotOf(ask) }),
    },
  });
  return { ...skill, textAfterQuestion };
}

function spotOf({ turn: { room, conversation } }: Ask): AnnouncementPlace {
  return { room, conversation };
}

/** Null: every room, also for people without a known room. */
function roomsOf(meant: AnnouncementRooms | null): string[] | null {
  return meant === null || meant.people !== null ? null : meant.rooms;
}

type AnnounceReply = SayReply<keyof typeof announceShape.replies>;
type AnnounceWordReader = ReturnType<typeof createAnnounceWords>;

/** Reads the text for the listeners. Null: the words are not a message. */
function createTextReader(read: AnnounceWordReader, reply: AnnounceReply) {
  return ({ turn }: Ask, { message, said, inner, that, deed, meal }: Said): string | null => {
    if (deed !== null) return reply('please', { deed: read.addressed(deed) });
    if (meal !== null) return reply('come', { meal });
    if (that !== null) return read.subordinate(turn.text, that);
    const rest = message ?? said;
    if (rest !== null) return read.rest(turn.text, rest);
    return inner === null ? null : read.exactly(turn.text, inner);
  };
}
