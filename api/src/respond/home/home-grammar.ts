import type { Grammar } from '../../language/grammar/grammar.ts';
import type { Match } from '../../language/grammar/matcher.ts';
import { createPhraseFinder } from '../../language/grammar/phrase-finder.ts';
import { runSlot } from '../../language/grammar/run-slot.ts';
import type { SlotType } from '../../language/grammar/walk.ts';
import type { Word } from '../../language/grammar/words.ts';
import { fill } from '../../language/phrase.ts';
import { askedAs, said, valuesOf } from './asked-as.ts';
import type { HomeWords, HouseNames } from './home-words.ts';
import { createLater } from './later.ts';
import { createRewording } from './rewording.ts';
import { createSpokenReader, type Spoken, targetSlotsOf } from './spoken.ts';
import { createTargetReader } from './target-reader.ts';
import { nothing, questions, type Understood } from './understood.ts';

const mostNameWords = 5;
const mostValueWords = 4;
/** Nobody says more in one breath. */
const mostCharacters = 400;
const mostCommands = 4;

interface HomeGrammarOptions {
  grammar: Grammar;
  sentences: Readonly<Record<string, readonly string[]>>;
  words: HomeWords;
}

export type HomeGrammar = ReturnType<typeof createHomeGrammar>;

/** Tells commands to the house and questions about it from everything else. */
export function createHomeGrammar({ grammar, sentences, words: data }: HomeGrammarOptions) {
  const targets = createTargetReader(data, grammar.readWords);
  const finder = (texts: readonly string[]) =>
    createPhraseFinder(
      texts.map((text) => ({ text, stands: null })),
      grammar.readWords,
    );
  const fixed = (texts: readonly string[]): SlotType => {
    const phrases = finder(texts);
    return { ends: (words, from) => phrases.at(words, from).map(({ end }) => end) };
  };
  const and = finder(data.and);
  const { deviceOf, moved, resaid, ways } = createRewording(data);
  const spokenOf = createSpokenReader({ data, targets, readWords: grammar.readWords });
  const notInNames = new Set(data.not_in_names);
  const notInFollow = new Set(data.not_in_follow);
  const inValues = new Set(data.values);
  const isValue = (word: string) => /^[\d%]/.test(word) || inValues.has(word);

  /** Without a pause in it. */
  const run = (most: number, costPerWord: number, isAllowed: (word: string) => boolean) =>
    runSlot({ most, costPerWord, isAllowed, endsAt: (gap) => gap !== '' });

  const known = Object.entries(sentences).flatMap(([intent, texts]) =>
    texts.map((text) => ({ intent, sentence: { text, place: `skills/home.yaml: ${intent}` } })),
  );
  const matcher = grammar.matcher({
    sentences: known.map(({ sentence }) => sentence),
    slotTypes: {
      ...targetSlotsOf(targets),
      area: { ends: targets.areasAt },
      state: fixed(data.states),
      floor: fixed(data.floors),
      done: fixed(Object.keys(data.done)),
      measure: fixed(data.measures),
      value: run(mostValueWords, 0, isValue),
      amount: run(mostValueWords, 0, isValue),
      // Dearer than any name that is known.
      thing: run(mostNameWords, 5, (word) => /^\p{L}/u.test(word) && !notInNames.has(word)),
    },
  });

  const whole = (words: readonly Word[]) => {
    const match = matcher.match(words);
    const intent = match && known[match.sentence]?.intent;
    return match && intent ? { match, intent } : null;
  };
  /** Without what may be left out at both ends: what Home Assistant is told needs no "could you". */
  const core = (words: readonly Word[], { sentence, slots }: Match): readonly Word[] => {
    const isSame = (from: number, to: number) => {
      const match = matcher.match(words.slice(from, to));
      if (match?.sentence !== sentence) return false;
      return [...slots].every(([name, held]) => match.slots.get(name)?.length === held.length);
    };
    let [from, to] = [0, words.length];
    for (let at = 1; at < to; at += 1) if (isSame(at, to)) from = at;
    for (let at = to - 1; at > from; at -= 1) if (isSame(from, at)) to = at;
    return words.slice(from, to);
  };

  /** "Turn on the ceiling and the floor lamp" as a command to each. */
  const partsOf = (sent: string, { text, at, target }: Spoken): Understood[] => {
    const parts = (target?.parts ?? []).map(({ from, to }) => said(text, at.slice(from, to)));
    const commands = parts.map((part) => sent.replace(said(text, at), () => part));
    const found = commands.flatMap((each) => readOne(each, grammar.readWords(each)) ?? []);
    // "The lamp and the fan in the bedroom": nobody can tell where the lamp is.
    const isOpen = found.some(({ place }) => place !== '') && found.some(({ isPlaced }) => !isPlaced);
    return found.length === parts.length && !isOpen ? found : [];
  };

  const otherQuestions = (
    { intent, target, bare, area, isNamed }: Understood,
    match: Match,
    spoken: Spoken & { words: readonly Word[] },
  ) => {
    const device = deviceOf(spoken) ?? bare;
    const place = intent === 'state' ? spoken.area : area;
    const values = { target, device, area: place, ...valuesOf(match, spoken.text, data) };
    return askedAs(data, { intent, words: spoken.words, at: spoken.at, isNamed, values });
  };

  const readOne = (text: string, words: readonly Word[]): Understood | null => {
    const found = whole(words);
    if (!found) return null;
    const { intent, match } = found;
    if (intent === 'follow' && words.some(({ word }) => notInFollow.has(word))) return null;
    const { told, spoken } = spokenOf(text, match);
    const plain = core(words, match);
    const sent = resaid(intent, plain, spoken);
    const isQuestion = questions.includes(intent);
    const common = { ...nothing, intent, isQuestion, isReference: isReference(intent), text: sent, ...told };
    return isQuestion
      ? { ...common, askedAs: otherQuestions(common, match, { ...spoken, words }) }
      : {
          ...common,
          parts: partsOf(sent, spoken),
          ways: ways(intent, sent, plain, spoken),
          elsewhere: moved(spoken, sent),
        };
  };

  /** What refers to a command as the command that it is: "turn off the kitchen lights" of "turn it off". */
  const referring = (
    { intent, area }: Understood,
    before: { target: string; elsewhere: string },
  ): Understood | null => {
    const text =
      intent === 'follow'
        ? before.elsewhere.replace('{area}', () => area)
        : fill(intent === 'refer_on' ? data.refer_on : data.refer_off, before);
    return readOne(text, grammar.readWords(text));
  };

  /** Several commands in one sentence: "turn on the lights and close the blinds". Questions come alone. */
  const readMany = (text: string, words: readonly Word[], left: number): Understood[] | null => {
    const one = readOne(text, words);
    if (one) return [one];
    for (let at = 1; left > 1 && at < words.length - 1; at += 1) {
      const [joint] = and.at(words, at);
      const first = joint && readOne(text, words.slice(0, at));
      if (!joint || !first || first.isQuestion || first.isReference) continue;
      const rest = readMany(text, words.slice(joint.end), left - 1)?.map((next) => inRoom(next, first));
      if (rest?.every(({ isQuestion, isReference }) => !isQuestion && !isReference)) return [first, ...rest];
    }
    return null;
  };

  /** "... in the kitchen and the bedroom": the same in another room, which stands behind an "and" like a sentence of its own. */
  const inRoom = (each: Understood, { isPlaced, target, elsewhere }: Understood): Understood =>
    each.intent === 'follow' && isPlaced && elsewhere !== null
      ? (referring(each, { target, elsewhere }) ?? each)
      : each;

  const isForLater = createLater({
    words: data,
    readWords: grammar.readWords,
    isCommand: (words) => {
      const found = whole(words);
      return found !== null && !questions.includes(found.intent) && !isReference(found.intent);
    },
  });

  return {
    /** A command, but not for now. */
    isForLater: (text: string): boolean =>
      text.length <= mostCharacters && isForLater(grammar.readWords(text)),

    learn: (names: HouseNames) => targets.learn(names),

    /** Words that are for the house whatever they are. */
    anything: (text: string): Understood => ({ ...nothing, text, ways: [text] }),

    referring,

    /** The commands or the question that a sentence is; none: it is not the house's business. */
    read(text: string): readonly Understood[] {
      if (text.length > mostCharacters) return [];
      return readMany(text, grammar.readWords(text), mostCommands) ?? [];
    },
  };
}

const isReference = (intent: string) => intent === 'follow' || intent.startsWith('refer_');
