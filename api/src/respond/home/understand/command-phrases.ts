import { fill } from '../../../language/phrase.ts';
import { isOfWhite } from '../steps.ts';
import { type HomeWords, type Kind, kindOfDomain } from './home-words.ts';
import { said } from './rephrasings.ts';
import type { Spoken } from './spoken.ts';
import type { Target } from './target.ts';
import type { Each, LightColor } from './understood.ts';

const [lights, players, heatings, fans] = [['light'], ['media_player'], ['climate'], ['fan']];
/** The domains that each intent acts on. */
const domainsOf: Readonly<Record<string, readonly string[]>> = {
  ...{
    louder: players,
    quieter: players,
    volume: players,
    mute: players,
    unmute: players,
    music_off: players,
  },
  ...{ pause: players, resume: players, next: players, previous: players },
  ...{ clean: ['vacuum'], mow: ['lawn_mower'], park: ['lawn_mower'], dock: ['vacuum', 'lawn_mower'] },
  brew: ['switch'],
  water: ['valve', 'switch'],
  ...{ more_open: ['cover', 'valve'], less_open: ['cover', 'valve'] },
  ...{ warmer: heatings, cooler: heatings },
  ...{ brighter: lights, darker: lights, shine: lights, color: lights, faster: fans, slower: fans },
  ...{ warmer_light: lights, cooler_light: lights },
};
/**
 * The domains that "everything" means. Heating, doors and scenes are not turned on and off with the rest. An
 * input_boolean is a setting of an automation, such as a guest mode.
 */
const switched = ['light', 'switch', 'fan', 'media_player'];
const everythingTo: Readonly<Record<string, readonly string[]>> = {
  ...{ lock: ['lock'], unlock: ['lock'], open: ['cover'], close: ['cover'] },
};
/** Domains that "the plug" and "the fan" may mean. */
const pluggedIn = ['switch', 'fan', 'input_boolean'];
const stepOf: Readonly<Record<string, number>> = {
  ...{ brighter: 1, darker: -1, warmer: 1, cooler: -1, more_open: 1, less_open: -1 },
  // In kelvin, warm light has less.
  ...{ warmer_light: -1, cooler_light: 1 },
};
const volumeStepOf: Readonly<Record<string, number>> = { louder: 1, quieter: -1 };
const usualStep = 20;
const usualDegrees = 1;
/** About a quarter of the range of a usual white lamp, 2,700 to 5,000 kelvin. */
const usualKelvin = 600;
/** Intents whose steps people count from one to ten. */
const relative = ['louder', 'quieter'];
const absolute = ['volume', 'shine'];
const counted = [...absolute, ...relative];

/** A number in digits or words, with or without a unit: "40%", "twenty five percent". */
function numberIn(value: string, { numbers, units }: HomeWords): { number: number; hasUnit: boolean } | null {
  const text = value.toLowerCase();
  const hasUnit = units.some((unit) => text.endsWith(unit));
  const digits = /^\d+(?:\.\d+)?/.exec(text)?.[0];
  if (digits !== undefined) return { number: Number(digits), hasUnit };
  const known = text.split(/[\s-]+/).flatMap((word) => numbers[word] ?? []);
  return known.length === 0 ? null : { number: known.reduce((sum, each) => sum + each, 0), hasUnit };
}

const hasOneOf = (text: string, wanted: readonly string[]): boolean =>
  text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((word) => wanted.includes(word));

/** Percent from words: "half", "40%"; 'unclear' for "ten", which has two meanings. Null: another value. */
function percentOf(intent: string, { value, text }: Spoken, data: HomeWords): number | 'unclear' | null {
  const known = data.amounts[value.toLowerCase()];
  if (known !== undefined) return known;
  const read = numberIn(value, data);
  if (read === null || read.hasUnit || read.number > 10) return read?.number ?? null;
  if (read.number < 10) return read.number * 10;
  if (!absolute.includes(intent)) return 10;
  const [isUp, isDown] = [hasOneOf(text, data.upward), hasOneOf(text, data.downward)];
  if (isUp === isDown) return 'unclear';
  return isUp ? 100 : 10;
}

/** The number that an entity is set to, percent or degrees. Null: another value, such as 2,700 kelvin. */
function numberSetTo({ value, target }: Spoken, data: HomeWords): number | null {
  const amount = data.amounts[value.toLowerCase()];
  const isOfLight = target === undefined || target.kinds.every((kind) => kind === 'light');
  if (amount !== undefined) return isOfLight ? amount : null;
  const [number, ...more] = value.toLowerCase().match(/\d+(?:\.\d+)?|%|\p{L}+/gu) ?? [];
  const isOther = more.some((word) => !data.units.includes(word) && !data.scales.includes(word));
  return number === undefined || isOther || Number.isNaN(Number(number)) ? null : Number(number);
}

/** "Warm white", "white", "3,000 K" and "blue". Null: no color. */
function lightColorOf(value: string, data: HomeWords): LightColor | null {
  const text = value.toLowerCase();
  const kelvin = data.whites[text] ?? null;
  const name = data.color_names[text] ?? text;
  if (data.colors.includes(text) || name !== text) return { name, kelvin };
  const said = Number(/^\d+/.exec(text.replaceAll(',', ''))?.[0] ?? Number.NaN);
  return kelvin === null && Number.isNaN(said) ? null : { name: null, kelvin: kelvin ?? said };
}

/** The domains that the words mean: "fans" excludes other plugs. */
function domainsSaidIn(data: HomeWords, intent: string, { target, text, at }: Spoken): readonly string[] {
  if (target?.isAll && target.isNamed) return everythingTo[intent] ?? switched;
  if (!target?.device) return [];
  const words = said(text, at.slice(target.device.from, target.device.to)).toLowerCase();
  const ofWord = Object.entries(data.domains).filter(
    ([domain, texts]) =>
      !domain.includes('.') && texts.some((word) => words === word || words.endsWith(` ${word}`)),
  );
  return ofWord.map(([domain]) => domain);
}

/** The kinds that an intent acts on; empty: the sentence names them itself. */
export function kindsOfCommand(intent: string): Kind[] {
  return [...new Set((domainsOf[intent] ?? []).map((domain) => kindOfDomain[domain] ?? 'power'))];
}

/**
 * Translates sentences about sound, light and cleaning into Home Assistant's words, for a room or for single
 * entities.
 */
export function createCommandPhrases(data: HomeWords) {
  const nameIn = ({ text, at, target }: Spoken): string | null =>
    target?.name ? said(text, at.slice(target.name.from, target.name.to)) : null;

  const valuesOf = (intent: string, spoken: Spoken) => ({
    value: counted.includes(intent) ? String(percentOf(intent, spoken, data) ?? spoken.value) : spoken.value,
  });

  /** Appends "by twenty percent" for relative changes. */
  const withAmount = (intent: string, spoken: Spoken, text: string): string =>
    relative.includes(intent) && spoken.value !== ''
      ? fill(data.by, { ...valuesOf(intent, spoken), text })
      : text;

  const waysOf = (intent: string, spoken: Spoken): string[] => {
    const phrases = data.deeds[intent];
    const name = nameIn(spoken);
    if (!phrases || spoken.isEverywhere || intent in stepOf) return [];
    const isOfRoom = intent === 'clean' && spoken.area !== '';
    if (name !== null && !isOfRoom)
      return [withAmount(intent, spoken, fill(phrases.name, { ...valuesOf(intent, spoken), name }))];
    // A vacuum cleaner is in a room, but cleans a room only when the sentence names it.
    if (intent === 'clean' && !isOfRoom) return [];
    const area = spoken.area || '{room}';
    return (phrases.area ?? []).length === 0
      ? []
      : [withAmount(intent, spoken, fill(phrases.area ?? [], { ...valuesOf(intent, spoken), area }))];
  };

  /** "A light" means any one of them. */
  const isOneOf = ({ at, target }: Spoken): boolean =>
    target !== undefined && !target.isNamed && data.one.includes(at[0]?.word ?? '');

  const domainsSaid = (intent: string, spoken: Spoken) => domainsSaidIn(data, intent, spoken);

  const amountOf = (intent: string, spoken: Spoken): number => {
    if (isOfWhite(intent)) return usualKelvin;
    if (domainsOf[intent] === heatings) return numberIn(spoken.value, data)?.number ?? usualDegrees;
    return Number(percentOf(intent, spoken, data) ?? usualStep) || usualStep;
  };

  /** Without an amount, a player takes its own step. */
  const changeBy = (intent: string, spoken: Spoken): number | null => {
    const step = spoken.value === '' ? stepOf[intent] : (stepOf[intent] ?? volumeStepOf[intent]);
    return step === undefined ? null : step * amountOf(intent, spoken);
  };

  const eachByPhrase = (intent: string, spoken: Spoken): Each => {
    const isMachine = kindsOfCommand(intent).every((kind) => kind === 'machine');
    const by = changeBy(intent, spoken);
    const calledWith = { brew: data.brewers, water: data.waterers }[intent] ?? null;
    const named = isMachine ? domainsSaid(intent, spoken) : [];
    // "Dock the mower" does not mean a vacuum cleaner.
    const means = (domain: string) => named.length === 0 || named.includes(domain);
    const isOne = calledWith !== null || isMachine;
    const light = intent === 'color' ? lightColorOf(spoken.value, data) : null;
    const level = absolute.includes(intent) ? percentOf(intent, spoken, data) : null;
    return {
      value: light?.name ?? spoken.value,
      level: level === 'unclear' ? null : level,
      light,
      domains: (domainsOf[intent] ?? []).filter(means),
      name: nameIn(spoken),
      by,
      isUsual: spoken.value === '',
      isOne,
      calledWith,
      isEverything: false,
      isOneOf: false,
      isOfRoom: intent === 'water',
    };
  };

  /** "The plug" means the entity in the room with this word in its name. "Switch off" names no switch. */
  const wordOf = (intent: string, { text, at }: Spoken, { device, kinds }: Target): string | null => {
    const isSwitched = ['on', 'off'].includes(intent) && kinds.every((kind) => kind === 'power');
    const isSaid = device !== null && device.from > 0;
    return isSwitched && isSaid ? said(text, at.slice(device.from, device.to)).toLowerCase() : null;
  };

  const eachByKind = (intent: string, spoken: Spoken, target: Target): Each | null => {
    const isMachine = target.kinds.every((kind) => kind === 'machine');
    if (!data.as_each.includes(intent) || target.isSpecial || nameIn(spoken) !== null) return null;
    const isAnyOne = isOneOf(spoken);
    const values = { value: '', level: null, light: null, by: null, isUsual: true };
    const isEverything = target.isAll && target.isNamed;
    const common = { ...values, name: null, isEverything, isOneOf: isAnyOne, isOfRoom: true };
    const domains = domainsSaid(intent, spoken);
    if (domains.length > 0) return { ...common, domains, calledWith: null, isOne: isMachine || isAnyOne };
    const word = wordOf(intent, spoken, target);
    return word === null ? null : { ...common, domains: pluggedIn, calledWith: [word], isOne: true };
  };

  const eachOf = (intent: string, spoken: Spoken): Each | null => {
    const deed = data.deeds[intent];
    if (deed) return intent === 'clean' && spoken.area !== '' ? null : eachByPhrase(intent, spoken);
    return spoken.target ? eachByKind(intent, spoken, spoken.target) : null;
  };

  /** The question to ask before acting; null: none. */
  const unclearOf = (intent: string, spoken: Spoken): 'which_color' | 'which_scale' | null => {
    if (intent === 'which_color') return intent;
    const isUnclear = absolute.includes(intent) && percentOf(intent, spoken, data) === 'unclear';
    return isUnclear ? 'which_scale' : null;
  };

  return { waysOf, eachOf, unclearOf, setTo: (spoken: Spoken) => numberSetTo(spoken, data) };
}
