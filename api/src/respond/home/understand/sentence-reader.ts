import type { Match } from '../../../language/grammar/matcher.ts';
import type { Word, WordReader } from '../../../language/grammar/words.ts';
import { fill } from '../../../language/phrase.ts';
import { createCommandPhrases, kindsOfCommand } from './command-phrases.ts';
import type { HomeMatcher } from './home-matcher.ts';
import type { HomeWords, Kind } from './home-words.ts';
import { rephrasings, said, valuesOf } from './rephrasings.ts';
import { createRewording } from './rewording.ts';
import { createSpokenReader, type Spoken } from './spoken.ts';
import type { TargetReader } from './target-reader.ts';
import {
  type CommandIntent,
  type HouseCommand,
  type HouseSentence,
  isQuestionIntent,
  isReferenceIntent,
  type QuestionIntent,
  type UnclearCommand,
  type Understood,
  type UnderstoodCommand,
  type UnderstoodQuestion,
} from './understood.ts';
import { createWordFinder } from './word-finder.ts';

interface SentenceReaderOptions {
  words: HomeWords;
  readWords: WordReader;
  matcher: HomeMatcher;
  targets: TargetReader;
  /** The text with these number words in digits. */
  inDigits: (text: string, words: readonly Word[]) => string;
}

const heating: readonly Kind[] = ['climate'];

/** Reads words that form one command or one question. */
export function createSentenceReader({
  words: data,
  readWords,
  matcher,
  targets,
  inDigits,
}: SentenceReaderOptions) {
  const { deviceOf, resaid } = createRewording(data);
  const commandOf = createCommandReader(data);
  const spokenOf = createSpokenReader({ data, targets });
  const inFull = createFullReader(data, readWords);
  const withPlainValue = createValueReader({ words: data, readWords, inDigits });
  const notInFollow = new Set(data.not_in_follow);
  const here = createWordFinder(data.here, readWords);

  /** Splits "turn on the ceiling and the floor lamp" into one command each. */
  const partsOf = (sent: string, { text, at, target }: Spoken): UnderstoodCommand[] => {
    const parts = (target?.parts ?? []).map(({ from, to }) => said(text, at.slice(from, to)));
    const commands = parts.map((part) => sent.replace(said(text, at), () => part));
    const found = commands
      .map((each) => read(each, readWords(each)))
      .filter((each) => each?.kind === 'command');
    return found.length === parts.length && !isPartlyPlaced(found) ? found : [];
  };

  const questionOf = (
    intent: QuestionIntent,
    sentence: HouseSentence,
    { match, spoken, words }: { match: Match; spoken: Spoken; words: readonly Word[] },
  ): UnderstoodQuestion => {
    const { target, bare, isNamed } = sentence;
    const device = deviceOf(spoken) ?? bare;
    const values = { target, device, area: spoken.area, ...valuesOf(match, spoken.text, data) };
    // "Yes" is not an answer to "on or off".
    const isChoice = match.slots.has('other');
    return {
      ...sentence,
      kind: 'question',
      intent,
      text: isChoice ? fill(data.ask_as.level[0] ?? [], { target }) : sentence.text,
      rephrasings: rephrasings(data, { intent, words, at: spoken.at, isNamed, values }),
    };
  };

  /** Any command may end with "in here", whether its sentences name it or not. */
  const readHere = (text: string, words: readonly Word[]): Understood | null => {
    const from = words.findIndex(
      (_, at) => at > 0 && here.at(words, at).some(({ end }) => end === words.length),
    );
    if (from === -1) return null;
    const command = read(said(text, words.slice(0, from)), words.slice(0, from));
    return command === null || command.kind === 'question' || command.isPlaced
      ? null
      : { ...command, needsRoom: true };
  };

  /** "Set the temperature in the lounge to 19" for "set the temperature to 19 in the lounge". */
  const readPlaced = (text: string, words: readonly Word[]): Understood | null => {
    const place = targets.lastPlace(words);
    const from = place === -1 ? targets.lastUnknownPlace(words) : place;
    for (const moved of movedEnds(text, words, from)) {
      const found = matcher.match(readWords(moved)) && read(moved, readWords(moved));
      const isKnown = found?.kind === 'command' && !found.isUnknown;
      if (found && (place === -1 ? isKnown : found.isPlaced || found.isEverywhere)) return found;
    }
    return null;
  };

  const read = (text: string, words: readonly Word[]): Understood | null => {
    const found = matcher.match(words);
    if (!found) return readHere(text, words) ?? readPlaced(text, words);
    const { intent, match } = found;
    if (intent === 'follow' && words.some(({ word }) => notInFollow.has(word))) return null;
    const { texts, spoken } = spokenOf(text, match, words);
    const full = inFull(intent, spoken);
    if (full === null) return null;
    const plainer = full ?? withPlainValue(intent, spoken);
    if (plainer !== text) return read(plainer, readWords(plainer));
    const plain = matcher.core(words, match);
    const sent = resaid(intent, plain, spoken);
    const sentence = { text: sent, ...texts };
    if (isQuestionIntent(intent)) return questionOf(intent, sentence, { match, spoken, words });
    return isReferenceIntent(intent)
      ? { ...sentence, kind: 'reference', intent }
      : actionOf(intent, sentence, { plain, spoken });
  };

  const actionOf = (
    intent: CommandIntent,
    sentence: HouseSentence,
    { plain, spoken }: Pick<SpokenCommand, 'plain' | 'spoken'>,
  ): HouseCommand | null =>
    intent === 'which_value'
      ? withoutValue(sentence, data, (text) => read(text, readWords(text)))
      : commandOf(intent, sentence, { plain, spoken, parts: partsOf(sentence.text, spoken) });

  return read;
}

/** Reads values: "halfway" and "30 percent" of a cover, and numbers in words. */
function createValueReader({
  words: data,
  readWords,
  inDigits,
}: Pick<SentenceReaderOptions, 'words' | 'readWords' | 'inDigits'>) {
  /** "Close the blinds three quarters", but not "to three quarters". */
  const isClosedBy = ({ text, valueAt: [first] }: Spoken): boolean => {
    const words = readWords(text);
    const before = words[words.findIndex(({ start }) => start === first?.start) - 1]?.word ?? '';
    const isClosing = words.some(({ word }) => data.closing.words.includes(word));
    return isClosing && !data.closing.to.includes(before);
  };

  /** The number of "40 percent", up to 100. */
  const percentIn = ({ text, value, valueAt }: Spoken): number | undefined => {
    const isPercent = ({ word }: Word) => data.units.includes(word) && !data.degrees.includes(word);
    const [number] = readWords(inDigits(value, readWords(value)));
    return valueAt.length > 0 &&
      readWords(text).some(isPercent) &&
      /^(?:\d{1,2}|100)$/.test(number?.word ?? '')
      ? Number(number?.word)
      : undefined;
  };

  /** The sentence with its value in digits. "Halfway", and the position of a cover, are in percent. */
  return (intent: string, spoken: Spoken): string => {
    const { text, at, value, valueAt, target } = spoken;
    const isFan = data.speeds.of.includes(at[(target?.device?.to ?? at.length) - 1]?.word ?? '');
    const isCover = target?.kinds.every((kind) => kind === 'cover') === true;
    const amounts = isFan ? data.speeds.percent : data.amounts;
    const amount = amounts[value.toLowerCase()] ?? (isCover ? percentIn(spoken) : undefined);
    const isInPercent =
      isFan || target?.kinds.every((kind) => kind === 'cover' || kind === 'lock' || kind === 'light');
    if (intent !== 'set' || amount === undefined || !isInPercent) return inDigits(text, valueAt);
    const position = isCover && isClosedBy(spoken) ? 100 - amount : amount;
    return fill(data.set_to, {
      target: said(text, at),
      value: fill(data.percent, { value: String(position) }),
    });
  };
}

function createFullReader(data: HomeWords, readWords: WordReader) {
  /**
   * The command behind a shorter one; undefined: it is whole. Null: "make it 68" has no unit, and may mean
   * anything.
   */
  return (intent: string, { value, area }: Spoken): string | null | undefined => {
    const isOfRooms = intent === 'heat_area';
    // "Heat the house to 70".
    const phrase = data.short_for[isOfRooms && area === '' ? 'set_heat' : intent];
    if (phrase === undefined) return undefined;
    const isWhole = isOfRooms || intent === 'dim_area';
    const isInDegrees = readWords(value).some(({ word }) => data.degrees.includes(word));
    // "Half brightness".
    const amount = intent === 'dim_area' ? data.amounts[value.toLowerCase()] : undefined;
    const values = { value: amount === undefined ? value : String(amount), area };
    return value === '' || isWhole || isInDegrees ? fill(phrase, values) : null;
  };
}

/** "Set the fan" lacks its speed. Null: it is no command with a value either. */
function withoutValue(
  sentence: HouseSentence,
  { with_value, example_value }: Pick<HomeWords, 'with_value' | 'example_value'>,
  read: (text: string) => Understood | null,
): HouseCommand | null {
  const text = fill(with_value, { text: sentence.text, value: '{value}' });
  const example = read(fill(with_value, { text: sentence.text, value: example_value }));
  if (example?.kind !== 'command') return null;
  const { intent, kinds } = example;
  const missing = { asks: 'which_value', lacking: { text, example } } as const;
  return { ...sentence, kind: 'unclear', intent, kinds, elsewhere: null, ...missing };
}

/** The sentence with its end, from a word on, in each earlier position. The latest position comes first. */
function movedEnds(text: string, words: readonly Word[], from: number): string[] {
  const places = Array.from({ length: Math.max(from - 1, 0) }, (_, at) => from - 1 - at);
  return places.map((at) =>
    [words.slice(0, at), words.slice(from), words.slice(at, from)].map((part) => said(text, part)).join(' '),
  );
}

interface SpokenCommand {
  spoken: Spoken;
  /** Its words without polite ones. */
  plain: readonly Word[];
  /** The same command for each of several entities; empty for one. */
  parts: readonly UnderstoodCommand[];
}

/** Builds the command of a matched sentence. */
function createCommandReader(data: HomeWords) {
  const { isHeat, moved, ways } = createRewording(data);
  const { waysOf, eachOf, unclearOf, setTo } = createCommandPhrases(data);

  /** "To the max" is no number of degrees. */
  const settingOf = (spoken: Spoken) =>
    isHeat(spoken) && Number.isNaN(Number.parseFloat(spoken.value)) ? null : setTo(spoken);

  const lackingIn = (
    asks: 'which_color' | 'which_scale',
    { target }: HouseSentence,
    { text, valueAt }: Spoken,
  ): UnclearCommand['lacking'] => {
    const value = '{value}';
    if (asks === 'which_color')
      return target === '' ? null : { text: fill(data.with_color, { target, value }), example: null };
    const [from, to] = [valueAt[0]?.start, valueAt.at(-1)?.end];
    if (from === undefined || to === undefined) return null;
    return { text: `${text.slice(0, from)}${value}${text.slice(to)}`, example: null };
  };

  const kindsOf = (intent: CommandIntent, spoken: Spoken, { kinds }: HouseSentence): readonly Kind[] => {
    if (data.deeds[intent] !== undefined) return kindsOfCommand(intent);
    // "Set the temperature to 20" names no thermostat.
    return intent === 'set' && spoken.target === undefined && isHeat(spoken) ? heating : kinds;
  };

  return (
    intent: CommandIntent,
    sentence: HouseSentence,
    { plain, spoken, parts }: SpokenCommand,
  ): HouseCommand => {
    const { text: sent } = sentence;
    const kinds = kindsOf(intent, spoken, sentence);
    const common = { ...sentence, intent, kinds, elsewhere: moved(spoken, sent) };
    const asks = unclearOf(intent, spoken);
    if (asks) return { ...common, kind: 'unclear', asks, lacking: lackingIn(asks, sentence, spoken) };
    const isDeed = data.deeds[intent] !== undefined;
    const each = eachOf(intent, spoken);
    const texts = isDeed ? waysOf(intent, spoken) : ways(intent, sent, plain, spoken);
    return {
      ...common,
      kind: 'command',
      reach: parts.length > 0 ? { by: 'parts', parts } : { by: 'words', ways: each?.isOneOf ? [] : texts },
      each,
      // "By 20 percent" is not a setting.
      setTo: intent === 'set' && spoken.valueAt.length > 0 ? settingOf(spoken) : (each?.level ?? null),
    };
  };
}

/** In "the lamp and the fan in the bedroom", only the fan has a place; the lamp may be anywhere. */
function isPartlyPlaced(parts: readonly UnderstoodCommand[]): boolean {
  return parts.some(({ place }) => place !== '') && parts.some(({ isPlaced }) => !isPlaced);
}
