import { fill, type Phrase } from '../../language/phrase.ts';
import { said } from './asked-as.ts';
import { type HomeWords, type Kind, kindOfDomain } from './home-words.ts';
import type { Spoken } from './spoken.ts';

/** The same sentence to each thing of some domains: for what Home Assistant has no words that reach all of them. */
export interface Each {
  /** With a place for the name, and for the value that is computed. */
  text: string;
  domains: readonly string[];
  /** Its own name, as it was said; null: all that are in the place. */
  name: string | null;
  /** It makes lights brighter or darker by so many percent. */
  by: number | null;
  /** Only one can be meant. */
  isOne: boolean;
}

const [lights, players] = [['light'], ['media_player']];
/** What each deed is done with. */
const domainsOf: Readonly<Record<string, readonly string[]>> = {
  ...{ louder: players, quieter: players, volume: players, mute: players, unmute: players },
  ...{ pause: players, resume: players, next: players, previous: players },
  ...{ clean: ['vacuum'], mow: ['lawn_mower'], dock: ['vacuum', 'lawn_mower'] },
  ...{ brighter: lights, darker: lights, shine: lights, color: lights },
};
/** What is turned on and off with everything. A heating, a door or a scene is not. */
const switched = ['light', 'switch', 'fan', 'media_player', 'input_boolean'];
const stepOf: Readonly<Record<string, number>> = { brighter: 1, darker: -1 };
const usualStep = 20;

/** Percent, from words: "half", "40%". Null: another value. */
function percentOf(value: string, amounts: HomeWords['amounts']): number | null {
  const known = amounts[value.toLowerCase()];
  if (known !== undefined) return known;
  const number = /^(\d+)/.exec(value)?.[1];
  return number === undefined ? null : Number(number);
}

/** The kinds that a deed is done with; none: it names them itself. */
export function kindsOfDeed(intent: string): Kind[] {
  return [...new Set((domainsOf[intent] ?? []).map((domain) => kindOfDomain[domain] ?? 'power'))];
}

/** Puts what people say of sound, light and cleaning into Home Assistant's words, for a room or for one thing after the other. */
export function createDeeds(data: HomeWords) {
  const nameIn = ({ text, at, target }: Spoken): string | null =>
    target?.name ? said(text, at.slice(target.name.from, target.name.to)) : null;

  const valuesOf = ({ value }: Spoken) => ({ value: String(data.amounts[value.toLowerCase()] ?? value) });

  const waysOf = (intent: string, spoken: Spoken): string[] => {
    const phrases = data.deeds[intent];
    const name = nameIn(spoken);
    if (!phrases || spoken.isEverywhere || intent in stepOf) return [];
    if (name !== null) return [fill(phrases.name, { ...valuesOf(spoken), name })];
    // A vacuum cleaner is in a room, but a room is to be cleaned only where it was said.
    if (intent === 'clean' && spoken.area === '') return [];
    const area = spoken.area || '{room}';
    return (phrases.area ?? []).length === 0 ? [] : [fill(phrases.area ?? [], { ...valuesOf(spoken), area })];
  };

  /** The domains that the words for things mean: "fans" are no other plugs. */
  const domainsSaid = ({ target, text, at }: Spoken): readonly string[] => {
    if (target?.isAll && target.isNamed) return switched;
    if (!target?.device) return [];
    const words = said(text, at.slice(target.device.from, target.device.to)).toLowerCase();
    const ofWord = Object.entries(data.domains).filter(([, texts]) =>
      texts.some((word) => words === word || words.endsWith(` ${word}`)),
    );
    return ofWord.map(([domain]) => domain);
  };

  const eachByDeed = (intent: string, spoken: Spoken, phrase: Phrase): Each => {
    const step = stepOf[intent];
    const by = step === undefined ? null : step * (percentOf(spoken.value, data.amounts) ?? usualStep);
    const filled = step === undefined ? valuesOf(spoken) : { value: '{value}' };
    const text = fill(phrase, { ...filled, name: '{name}' });
    const isOne = kindsOfDeed(intent).every((kind) => kind === 'machine');
    return { text, domains: domainsOf[intent] ?? [], name: nameIn(spoken), by, isOne };
  };

  const eachOf = (intent: string, spoken: Spoken): Each | null => {
    const [deed, phrase] = [data.deeds[intent], data.as_each[intent]];
    if (deed) return intent === 'clean' && spoken.area !== '' ? null : eachByDeed(intent, spoken, deed.name);
    const { target } = spoken;
    if (!phrase || !target || target.isSpecial || nameIn(spoken) !== null) return null;
    const domains = domainsSaid(spoken);
    const isOne = target.kinds.every((kind) => kind === 'machine');
    const text = fill(phrase, { name: '{name}' });
    return domains.length === 0 ? null : { text, domains, name: null, by: null, isOne };
  };

  return { waysOf, eachOf };
}
