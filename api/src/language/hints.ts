import { z } from 'zod';
import { withCapital } from './capitals.ts';

const words = z.string().trim().min(1);

/** Sentences that people say at home, and those that speech recognition invents. */
export const hearingSchema = z.strictObject({
  examples: z.array(words),
  there_now: z.strictObject({
    timers: words,
    rooms: words,
    list: words.includes('{name}', { error: 'must have a place {name}' }),
    lists: words,
    devices: words,
    words,
  }),
  phantoms: z.array(words),
  /** Call words before a name. */
  calls: z.array(words.regex(/^\p{Ll}+$/u, 'must be one word in lower case')),
  /** Single words that people say while the assistant speaks. */
  over_its_voice: z.array(words.regex(/^\p{Ll}+$/u, 'must be one word in lower case')),
  /** Frequent words; a similar-sounding word is tried as one of them. */
  meant: z.array(words.regex(/^\p{Ll}+$/u, 'must be one word in lower case')),
});

type HearingData = z.infer<typeof hearingSchema>;

/** Names that people may say now, the newest of each kind last. */
export interface KnownNames {
  timers?: readonly string[];
  lists?: readonly { name: string; items: readonly string[] }[];
  rooms?: readonly string[];
  devices?: readonly string[];
  /** More words that the household expects, mostly names. */
  words?: readonly string[];
  /** The speaker's room. */
  room?: string | null;
  /** The assistant's names and wake words. Whisper would hear them in noise, so no hint contains one. */
  calls?: readonly string[];
}

/** From 60 words on, Whisper starts to hear the rare ones where no one said them. */
const maxWords = 59;
/** Half of the hint is sentences, which improve the grammar. The other half is names. */
const maxExampleWords = 30;
/** For languages without spaces, where a word limit has no effect. */
const maxCharacters = 400;
/** Maximum number of names of one kind. */
const maxOfAKind = 40;
/** People do not say longer names in full. */
const maxNameWords = 5;
const maxNameCharacters = 40;

/** Names of one kind, the newest last. */
interface Kind {
  title: string;
  names: readonly string[];
}

/**
 * Builds the hint for speech recognition: household sentences, then current names. If they do not all fit,
 * each kind contributes its newest name in turn. So forty list items do not crowd out a new timer.
 */
export function createHints({ examples, there_now: titles }: Pick<HearingData, 'examples' | 'there_now'>) {
  const said = newestThatFit(examples);

  return (now: KnownNames): string => {
    const mayHint = withoutCalls(now.calls ?? []);
    const kinds = kindsOf(now, titles)
      .filter(({ title }) => mayHint(title))
      .map(({ title, names }) => ({ title, names: names.filter(mayHint), chosen: [] as string[] }));
    let used = sizeOf(said.join(' '));
    for (const { kind, name } of inTurn(kinds)) {
      const begins = kind.chosen.length === 0 ? sizeOf(`${kind.title}:`) : none;
      const longer = sum(used, begins, sizeOf(name));
      if (longer.words > maxWords || longer.characters > maxCharacters) continue;
      used = longer;
      kind.chosen.unshift(name);
    }
    return [...said, ...kinds.filter(({ chosen }) => chosen.length > 0).map(sentenceOf)].join(' ');
  };
}

/** The most likely kinds first. */
function kindsOf(now: KnownNames, titles: HearingData['there_now']): Kind[] {
  const lists = (now.lists ?? [])
    .slice(-maxOfAKind)
    .map(({ name, items }) => ({ name: plain(name), items: namesIn(items) }))
    .filter(({ name }) => name !== '');
  const isEmpty = ({ items }: { items: readonly string[] }) => items.length === 0;
  return [
    { title: titles.timers, names: namesIn(now.timers ?? []) },
    { title: titles.words, names: namesIn(now.words ?? []) },
    { title: titles.rooms, names: namesIn([...(now.rooms ?? []), ...(now.room ? [now.room] : [])]) },
    ...lists
      .filter((list) => !isEmpty(list))
      .map(({ name, items }) => ({ title: titles.list.replace('{name}', () => name), names: items })),
    { title: titles.lists, names: lists.filter(isEmpty).map(({ name }) => name) },
    { title: titles.devices, names: namesIn(now.devices ?? []) },
  ];
}

/** The newest name of each kind, then the second newest of each, and so on. */
function* inTurn<K extends Kind>(kinds: readonly K[]): Generator<{ kind: K; name: string }> {
  for (let age = 1; age <= maxOfAKind; age += 1) {
    for (const kind of kinds) {
      const name = kind.names.at(-age);
      if (name !== undefined) yield { kind, name };
    }
  }
}

function sentenceOf({ title, chosen }: { title: string; chosen: readonly string[] }): string {
  return `${withCapital(title)}: ${chosen.join(', ')}.`;
}

/** Speakable names without duplicates. */
function namesIn(texts: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const text of texts.slice(-maxOfAKind)) {
    const name = plain(text);
    byName.delete(name.toLowerCase());
    if (name !== '') byName.set(name.toLowerCase(), name);
  }
  return [...byName.values()];
}

/** Whether a name may be hinted: it contains none of these calls. */
function withoutCalls(calls: readonly string[]): (name: string) => boolean {
  const padded = (text: string) => ` ${plain(text).toLowerCase()} `;
  const never = calls.map(padded);
  return (name) => !never.some((call) => padded(name).includes(call));
}

/** Reduces a household's words to letters and digits. Other characters could inject more than a name. */
function plain(text: string): string {
  const spoken = text
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}'’&-]+/gu, ' ')
    .trim();
  const name = spoken.split(' ').slice(0, maxNameWords).join(' ');
  return name.length <= maxNameCharacters && /[\p{L}\p{N}]/u.test(name) ? name : '';
}

/** The last ones first: the household's sentences come after ours. */
function newestThatFit(sentences: readonly string[]): string[] {
  let left = maxExampleWords;
  const fit = (sentence: string) => {
    left -= sizeOf(sentence).words;
    return left >= 0;
  };
  return sentences.toReversed().filter(fit).toReversed();
}

interface Size {
  words: number;
  /** Including the separator to the next one. */
  characters: number;
}

const none: Size = { words: 0, characters: 0 };

function sizeOf(text: string): Size {
  return { words: text.split(/\s+/).filter(Boolean).length, characters: text.length + 2 };
}

function sum(...sizes: readonly Size[]): Size {
  return {
    words: sizes.reduce((all, { words }) => all + words, 0),
    characters: sizes.reduce((all, { characters }) => all + characters, 0),
  };
}
