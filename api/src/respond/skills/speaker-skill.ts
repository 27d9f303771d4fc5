import { z } from 'zod';
import type { ActionNotes } from '../../actions/action-notes.ts';
import { actionSchema } from '../../actions/action-store.ts';
import type { WordReader } from '../../language/grammar/words.ts';
import type { LanguageFiles } from '../../language/language.ts';
import type { NumberReader } from '../../language/numbers/number-reader.ts';
import { type SpeakerChange, type StoredSpeaker, speakerSchema } from '../../speakers/speaker.ts';
import type { SpeakerStore } from '../../speakers/speaker-store.ts';
import type { ByKind } from '../core/household-actions.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import type { TextTurn } from '../core/responder.ts';
import { type Ask, defineSkill, intentsOf, type Skill } from '../core/skill.ts';
import { loadSkill } from '../core/skill-language.ts';
import { readBy, type SlotValues, slotOf, typeOf } from '../core/slot.ts';
import { createLevelReaders, percentOfLevel, type SaidLevel } from './speaker-level.ts';
import { createMuteLength, type MuteSaid, untilSlot } from './speaker-muting.ts';
import { speakerShape } from './speaker-shape.ts';
import type { TimerTalk } from './timers/timer-skill.ts';

/** An audible step, and half of it, in percent. */
const [step, smallStep] = [20, 10];
/** Minimum volume for "quieter". Below it nothing is audible, so the reply differs. */
const minVolume = 10;

/** A changed volume or mute of a loudspeaker. */
export const speakerActionSchema = actionSchema.extend({
  kind: z.literal('speaker.change'),
  name: z.string(),
  before: speakerSchema,
  after: speakerSchema,
});

/** "Ten percent, or full?" */
export const speakerQuestionSchema = z.object({ kind: z.literal('speaker.volume') });

type SpeakerAction = z.infer<typeof speakerActionSchema>;

interface SpeakerSkillOptions {
  files: LanguageFiles;
  numbers: NumberReader;
  timeZone: string;
  speakers: Pick<SpeakerStore, 'read' | 'put' | 'change'>;
  notes: ActionNotes<SpeakerAction>;
  /** The name of the speaker's satellite; null: it is not one of ours. */
  speakerOf: (turn: TextTurn) => Promise<string | null>;
  /** The household's monotonic time in ms. */
  steady: () => number;
  talk: TimerTalk;
  /** Silences ringing timers in the room and says so; null if none rings. "Mute" tries that first. */
  quiet: (ask: Ask) => Promise<string | null>;
  pendingQuestions: HouseholdQuestions;
  readWords: WordReader;
}

interface Meant {
  name: string;
  speaker: StoredSpeaker;
}

/**
 * Volume and mute of the speaker's satellite. A sentence that names a player or a room is for the house. So
 * is every sentence on a device that is not ours.
 */
export function createSpeakerSkill(options: SpeakerSkillOptions): Skill {
  const { files, numbers, timeZone, speakers, notes, speakerOf, steady, talk, quiet } = options;
  const { reply, words, ...language } = loadSkill(files, 'speaker', speakerShape);
  const readers = createLevelReaders(words, numbers);
  const muteLength = createMuteLength({ reply, talk, timeZone });
  const slots = {
    level: slotOf(readers.level),
    by: readBy(readers.amount),
    lasting: readBy(talk.read.durations.read),
    until: untilSlot(talk),
  };
  type Said = SlotValues<typeof slots>;
  const { does, tells } = intentsOf<Said>();

  /** Runs it for our own loudspeaker. Null: another responder handles it. */
  const forOwn =
    (act: (ask: Ask, meant: Meant, said: Said) => string | Promise<string>) =>
    async (ask: Ask, said: Said): Promise<string | null> => {
      const name = await speakerOf(ask.turn);
      return name === null ? null : act(ask, { name, speaker: await speakers.read(name) }, said);
    };

  const change = async (
    ask: Ask,
    { name, speaker }: Meant,
    wanted: SpeakerChange,
  ): Promise<StoredSpeaker> => {
    const { id, createdAt, conversation } = ask.turn;
    await ask.beginActing();
    const after = await speakers.change(name, wanted, id);
    const action = { kind: 'speaker.change', name, before: speaker, after } as const;
    await notes.note({ turn: id, at: createdAt, ...action }, conversation);
    return after;
  };

  const setVolume = async (ask: Ask, meant: Meant, volume: number): Promise<string> => {
    if (volume === 0) return mute(ask, meant, { lasting: null, until: null });
    await change(ask, meant, { volume });
    return reply('volume', { volume }, ask.turn);
  };
  /** Changes the volume by a step. A job that runs twice changes it once. */
  const move = (direction: 'louder' | 'quieter', usual: number) =>
    does(
      forOwn((ask, meant, { by }) => {
        const { volume, muted, turn } = meant.speaker;
        if (turn === ask.turn.id) return reply('volume', { volume }, ask.turn);
        const moved = movedVolume(volume, direction, by === null ? usual : amountOf(by));
        if (moved !== volume || muted !== null) return setVolume(ask, meant, moved);
        return reply(direction === 'louder' ? 'loudest' : 'quietest', {}, ask.turn);
      }),
    );

  const set = forOwn(async (ask, meant, { level: said }) => {
    const volume = percentOfLevel(said ?? { value: 100, isExact: true });
    if (volume === null) return reply('out_of_range', {}, ask.turn);
    if (volume !== 'unclear') return setVolume(ask, meant, volume);
    await options.pendingQuestions.note(ask.turn, { kind: 'speaker.volume' });
    return reply('which_scale', {}, ask.turn);
  });
  /** "Ten percent" or "full", right after that question. */
  const choose = async (ask: Ask): Promise<string | null> => {
    const said = options.readWords(ask.turn.text);
    const found = readers.level(said, 0);
    if (found?.end !== said.length || percentOfLevel(found.value) === 'unclear') return null;
    const question = await options.pendingQuestions.last(ask.exchanges, ask.turn.createdAt);
    const level = { level: found.value, by: null, lasting: null, until: null };
    return question?.kind === 'speaker.volume' ? set(ask, level) : null;
  };

  const mute = async (ask: Ask, meant: Meant, said: MuteSaid): Promise<string> => {
    const length = muteLength(ask, said);
    if (typeof length === 'string') return length;
    await change(ask, meant, { muted: true, mutedMs: length.ms });
    return length.text;
  };
  const unmute = forOwn(async (ask, meant) => {
    if (meant.speaker.muted === null && meant.speaker.turn !== ask.turn.id)
      return reply('not_muted', {}, ask.turn);
    const { volume } = await change(ask, meant, { muted: false });
    return reply('unmuted', { volume }, ask.turn);
  });
  const tell = forOwn(({ turn }, { speaker: { volume, muted } }) => {
    if (muted === null) return reply('is', { volume }, turn);
    if (muted.until === null) return reply('muted', {}, turn);
    return reply('muted_for', { duration: talk.say.duration(muted.until - steady()) }, turn);
  });

  return defineSkill({
    name: 'speaker',
    ...language,
    slots,
    slotTypes: { amount: typeOf(readers.amount) },
    choose,
    intents: {
      louder: move('louder', step),
      a_bit_louder: move('louder', smallStep),
      quieter: move('quieter', step),
      a_bit_quieter: move('quieter', smallStep),
      set: does(set),
      tell: tells(tell),
      mute: does(async (ask, said) => (await quiet(ask)) ?? forOwn(mute)(ask, said)),
      unmute: does(unmute),
    },
    actions: {
      'speaker.change': {
        tell: ({ before, after }, turn) =>
          reply(`did_${changeOf(before, after)}`, { volume: after.volume }, turn),
        async undo(found, { turn, beginActing }) {
          await beginActing();
          if (!(await notes.mark(found, turn.conversation))) return null;
          const { name, before, after } = found.action;
          await speakers.put(name, { ...before, turn: turn.id });
          return reply(`undid_${changeOf(before, after)}`, { volume: before.volume }, turn);
        },
      },
    },
  });
}

/** One step further, within the limits. */
function movedVolume(volume: number, direction: 'louder' | 'quieter', by: number): number {
  return direction === 'louder'
    ? Math.min(volume + by, 100)
    : Math.max(volume - by, Math.min(minVolume, volume));
}

/** "By two" is twenty percent, as in "set it to two". */
function amountOf(by: SaidLevel): number {
  const amount = percentOfLevel(by);
  return typeof amount === 'number' ? amount : by.value;
}

function changeOf(before: StoredSpeaker, after: StoredSpeaker): 'volume' | 'mute' | 'unmute' {
  if (before.volume !== after.volume) return 'volume';
  return after.muted === null && before.muted !== null ? 'unmute' : after.muted === null ? 'volume' : 'mute';
}

declare module '../core/household-actions.ts' {
  interface ActionsByKind extends ByKind<SpeakerAction> {}
}

declare module '../core/household-questions.ts' {
  interface QuestionsByKind extends ByKind<z.infer<typeof speakerQuestionSchema>> {}
}
