import { textOf, type WordReader } from '../../language/grammar/words.ts';
import type { LanguageFiles } from '../../language/language.ts';
import type { HouseholdQuestions } from '../core/household-questions.ts';
import { ended, partOf, standAlone } from '../core/part.ts';
import {
  type DryRunOutcome,
  type DryRunResponder,
  plainAnswer,
  type Question,
  type Responder,
} from '../core/responder.ts';
import { loadSkill } from '../core/skill-language.ts';
import type { SkillResponder } from '../core/skill-responder.ts';
import { severalShape } from './several-shape.ts';
import { createSplits, type Part } from './split.ts';

/** The house's view of a sentence before it is asked. */
interface HomeSentences {
  /** It is a whole sentence for the house. */
  covers(text: string): Promise<boolean>;
  /** Whether the house's reply is an answer if it did not act. Otherwise it is a refusal. */
  asks(text: string): Promise<boolean>;
}

interface SeveralOptions {
  files: LanguageFiles;
  readWords: WordReader;
  skills: Pick<SkillResponder, 'name' | 'respond' | 'dryRun' | 'understood' | 'accepts'>;
  /** The house's reader of sentences; null if none is connected. */
  sentences: HomeSentences | null;
  /** Says which connection is missing. */
  notConnected: DryRunResponder;
  /** The responders for a part, in the order in which they are asked: these two and those of the house. */
  responders: readonly DryRunResponder[];
  pendingQuestions: Pick<HouseholdQuestions, 'last'>;
}

/** A part that some responder would answer. */
interface Known extends DryRunOutcome {
  said: string;
  by: DryRunResponder;
  /** It gives information, and is neither an action nor a refusal. */
  isAnswer: boolean;
}

const nothingHome: HomeSentences = { covers: async () => false, asks: async () => false };

/**
 * Several requests in one sentence: "turn off the lights and set an alarm for seven". It splits only if every
 * part is a whole request to some responder. It tries each part first. If one would be refused or needs an
 * answer, nothing runs and the reply says so.
 */
export function createSeveralResponder(options: SeveralOptions): Responder {
  const { files, readWords, skills, sentences, notConnected, responders, pendingQuestions } = options;
  const { reply, words } = loadSkill(files, 'several', severalShape);
  const splits = createSplits(words, readWords);
  const [puttingOff, wakes] = [new Set(words.puts_off), new Set(words.wakes)];
  const house = sentences ?? nothingHome;
  const tryPart = createTrial({ skills, notConnected, pendingQuestions, house, responders });
  const find = createPartFinder(tryPart, skills);
  const endReminder = createReminderEnd({ skills, readWords, commands: words.commands, find });

  /** The sentence may be one whole request: "remind me to take out the bins at eight and ..." */
  const isOne = async (question: Question): Promise<boolean> => {
    const { text } = question.turn;
    if (await house.covers(text)) return true;
    const found = skills.understood(text);
    if (!found) return false;
    if (standAlone.has(found.skill)) return true;
    const whole = await tryPart(text, question);
    if (whole === null || whole.by === notConnected) return false;
    return whole.by !== skills || whole.acts || whole.isAnswer;
  };

  /** The timer skill declines a reminder whose text contains the time of another one. */
  const isTooMuch = (text: string): boolean =>
    skills.understood(text)?.skill === 'timers' && skills.accepts(text).isUndoable;

  /** "Turn on the light at six" for "turn on the light", with a time at the end of another part. */
  const atTimeOf = async (first: string, said: string, question: Question): Promise<Known | null> => {
    const others = readWords(first);
    for (const at of others.keys()) {
      const timed = `${said} ${textOf(first, others.slice(at))}`;
      const found = (await house.covers(timed)) ? null : await tryPart(timed, question);
      if (found?.acts && found.by !== skills) return found;
    }
    return null;
  };

  /**
   * The part at the time of the first one: "wake me at six and turn on the light THEN". Null: it may be for
   * that time, which cannot be planned.
   */
  const inTime = async (part: Known, first: Known, question: Question): Promise<Known | null> => {
    if (part === first || !first.acts || first.by !== skills) return part;
    const said = readWords(part.said);
    const isThen = puttingOff.has(said.at(-1)?.word ?? '');
    const wakesUp = readWords(first.said).some(({ word }) => wakes.has(word));
    const isNow = part.by !== skills && part.acts && (await house.covers(part.said));
    if (!isThen && !(wakesUp && isNow)) return part;
    const text = isThen ? textOf(part.said, said.slice(0, -1)) : part.said;
    return await atTimeOf(first.said, text, question);
  };

  /** All parts, each at its time. Null: the time of a part is unclear. */
  const inTimes = async (parts: readonly Known[], question: Question): Promise<Known[] | null> => {
    const timed: Known[] = [];
    for (const part of parts) {
      const found = await inTime(part, parts[0] ?? part, question);
      if (!found) return null;
      timed.push(found);
    }
    return timed;
  };

  const carryOut = async (parts: readonly Known[], question: Question): Promise<string> => {
    const texts: string[] = [];
    const [others, asking] = withQuestionLast(parts, skills);
    for (const [at, { said, by }] of [...others, ...asking].entries()) {
      const own = at < others.length ? partOf(question, said, String(at + 1)) : inPlaceOf(question, said);
      const answer = await by.respond({ ...own, say: () => undefined });
      if (!answer) continue;
      const text = ended(answer.text);
      question.say(at === 0 ? text : ` ${text}`);
      texts.push(text);
    }
    return texts.join(' ');
  };

  const noneDone = (why: string, question: Question): string => {
    const text = reply('none_done', { text: ended(why) }, question.turn);
    question.say(text);
    return text;
  };

  /** Explains why nothing runs. A question gets this turn's id, so that the next turn may answer it. */
  const refuse = async ({ by, said, text }: Known, question: Question): Promise<string> => {
    const again = await by.dryRun(inPlaceOf(question, said));
    return noneDone(again?.text || text, question);
  };

  /** Null: the sentence is partly unknown. */
  const requestsIn = async (ways: readonly Part[][], question: Question): Promise<Known[] | 'one' | null> => {
    const reminded = await endReminder(ways, question);
    if (reminded) return reminded;
    return (await isOne(question)) ? 'one' : await find(ways, question);
  };

  const answer = async (question: Question): Promise<string | null> => {
    const { text } = question.turn;
    const ways = splits.of(text);
    const found = ways.length === 0 ? 'one' : await requestsIn(ways, question);
    if (found === 'one') return null;
    if (!found && isTooMuch(text)) return noneDone(reply('one_by_one', {}, question.turn), question);
    if (!found?.some((part) => part.acts || part.isAnswer)) return null;
    const parts = await inTimes(found, question);
    if (!parts) return noneDone(reply('which_time', {}, question.turn), question);
    const refused = parts.find((part) => !part.acts && !part.isAnswer);
    const acts = parts.some((part) => part.acts);
    if (acts && refused) return await refuse(refused, question);
    return carryOut(parts, question);
  };

  return {
    name: skills.name,
    async respond(question) {
      const text = await answer(question);
      return text === null ? null : plainAnswer(text);
    },
  };
}

/** A part under the id of the whole turn, so that the next turn may answer its question. */
function inPlaceOf({ turn, ...question }: Question, said: string): Question {
  return { ...question, exchanges: [], turn: { ...turn, text: said } };
}

/** The parts to answer first, and the last one that asks. */
function withQuestionLast(parts: readonly Known[], skills: SeveralOptions['skills']): [Known[], Known[]] {
  const asking = parts.findLast(({ by, acts, isAnswer }) => by === skills && !acts && !isAnswer);
  return [parts.filter((part) => part !== asking), asking ? [asking] : []];
}

/**
 * Finds the requests in a sentence. Null: it is a single one, or partly unknown. Two parts may share the
 * sentence's end. Then the second is only read without the first words of the part before.
 */
function createPartFinder(
  tryPart: ReturnType<typeof createTrial>,
  skills: Pick<SkillResponder, 'understood'>,
) {
  /** "Remind me every Monday and on the first TO PAY": the end may belong to both. */
  const sharesEnd = (before: string, said: string): boolean => {
    const [first, next] = [skills.understood(before), skills.understood(said)];
    return first?.skill === next?.skill && next?.endsOpen === true && !first?.endsOpen;
  };
  return async (ways: readonly Part[][], question: Question): Promise<Known[] | null> => {
    const known = new Map<string, Known | null>();
    const knownAs = async (part: Part, before: string | undefined): Promise<Known | null> => {
      const mayStand = (said: string, reading: number) =>
        reading === 0 || before === undefined || !sharesEnd(before, said);
      for (const said of part.filter(mayStand)) {
        const found = known.has(said) ? known.get(said) : await tryPart(said, question);
        known.set(said, found ?? null);
        if (found) return found;
      }
      return null;
    };
    for (const parts of ways) {
      const found: Known[] = [];
      for (const part of parts) {
        const one = await knownAs(part, found.at(-1)?.said);
        if (!one) break;
        found.push(one);
      }
      if (found.length === parts.length) return found;
    }
    return null;
  };
}

interface ReminderEndOptions {
  skills: Pick<SkillResponder, 'understood'>;
  readWords: WordReader;
  commands: readonly string[];
  find: ReturnType<typeof createPartFinder>;
}

/**
 * Finds a reminder and the requests that its text would take in: "... to call mum and SET an alarm". Null:
 * there are none, or they may be part of the text.
 */
function createReminderEnd({ skills, readWords, commands, find }: ReminderEndOptions) {
  const isCommand = ([said = '']: Part): boolean => commands.includes(readWords(said)[0]?.word ?? '');
  return async (ways: readonly Part[][], question: Question): Promise<Known[] | null> => {
    const whole = skills.understood(question.turn.text);
    if (whole?.skill !== 'timers' || !whole.endsOpen) return null;
    for (const parts of ways.filter(([, ...behind]) => behind.every(isCommand))) {
      const asSaid = parts.map((part) => part.slice(0, 1));
      const found = await find([asSaid], question);
      if (found?.[0]?.acts) return found;
    }
    return null;
  };
}

type TrialOptions = Pick<SeveralOptions, 'skills' | 'notConnected' | 'responders' | 'pendingQuestions'> & {
  house: HomeSentences;
};

/** Tries one part without letting it act. */
function createTrial({ skills, notConnected, pendingQuestions, house, responders }: TrialOptions) {
  const isAnswer = async (by: Responder, { turn }: Question): Promise<boolean> => {
    if (by === notConnected) return false;
    if (by !== skills) return house.asks(turn.text);
    const { isWhole, isUndoable } = skills.accepts(turn.text);
    const asks = await pendingQuestions.last([{ user: '', assistant: '', turn: turn.id }], turn.createdAt);
    return isWhole && !isUndoable && asks === null;
  };

  /** Null: no responder understands the whole part. */
  return async (said: string, whole: Question): Promise<Known | null> => {
    const found = skills.understood(said);
    if (found && standAlone.has(found.skill)) return null;
    // A trial may leave a question behind, and a turn has one: each part has its own id.
    const question = partOf(whole, said, `try/${said}`);
    for (const by of responders) {
      const predicted = await by.dryRun(question);
      if (predicted) return { ...predicted, said, by, isAnswer: await isAnswer(by, question) };
    }
    return null;
  };
}
