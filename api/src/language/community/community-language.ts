import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { z } from 'zod';
import { english } from '../en/english.ts';
import type { Language } from '../language.ts';
import { fill } from '../phrase.ts';
import type { Phrases } from '../phrases.ts';
import type { PromptWords } from '../prompt-schema.ts';
import type { LanguageRules } from '../rules.ts';
import type { Speaking } from '../speaking-schema.ts';
import { communityGrammar, loadCommunity } from './community.ts';
import {
  type CommunityWords,
  communityLocale,
  createCommunityWords,
  type OwnSentences,
  ownSentencesSchema,
} from './community-words.ts';
import { spelledNumbers } from './spelled-numbers.ts';

const text = z.string().trim().min(1);

/** `api/languages/community.yaml`. */
const communityFileSchema = z.strictObject({
  /** Instructions for the language model, in English: it is told to answer in {language}. */
  prompt: z.strictObject({
    always: z.array(text),
    without_tools: text,
    last: text,
    about_pictures: text,
    go_on: text,
    greet_me: text,
  }),
  /** The heading of the routines on the page. */
  routines: text,
  sentences: z.record(text, ownSentencesSchema),
});

type CommunityFile = z.infer<typeof communityFileSchema>;

/** Reads `community.yaml`. */
export function readCommunityFile(path: string): CommunityFile {
  return communityFileSchema.parse(load(readFileSync(path, 'utf8')));
}

interface CommunityFiles {
  tag: string;
  /** `community.yaml`. */
  own: string;
  /** The folder with the data of the community. */
  folder: string;
  /** The folder of the language, which does not exist: it has no skills. */
  files: Language['files'];
}

/** Loads a language of the community. Throws with a sentence that names the file. */
export function loadCommunityLanguage({ tag, own, folder, files }: CommunityFiles): Language {
  const { prompt, routines, sentences } = readCommunityFile(own);
  const said = sentences[tag];
  if (!said) throw new Error(`${own} has no sentences for ${tag}.`);
  const data = loadCommunity(`${folder}/${tag}.json`);
  const words = createCommunityWords(data, said);
  const numbers = numbersIn(tag);
  return {
    tag,
    rules: communityRules,
    hearing: {
      examples: [],
      there_now: { timers: '-', rooms: '-', list: '{name}', lists: '-', devices: '-', words: '-' },
      phantoms: [],
      calls: [],
      over_its_voice: [],
      meant: [],
    },
    speaking: { ...speakingIn(tag, said), marks: numbers.marks, ...communityRules },
    phrases: phrasesOf(words, prompt, languageName(tag)),
    prompt: promptOf(prompt, tag),
    grammar: communityGrammar(data, spelledNumbers(tag)),
    numbers,
    files,
    community: { data, words, routines },
  };
}

/** Counts and sounds need no rules here. Everything else reads digits alone. */
const communityRules: LanguageRules = {
  ...english,
  formOf: (count) => (String(count) === '1' ? 'one' : 'other'),
  ordinalOf: () => 'other',
  soundsOf: (word) => word.normalize('NFD').replaceAll(/\P{L}/gu, ''),
};

function languageName(tag: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(tag) ?? tag;
}

function numbersIn(tag: string): Language['numbers'] {
  const parts = new Intl.NumberFormat(communityLocale(tag), {
    numberingSystem: 'latn',
    useGrouping: true,
  }).formatToParts(12_345_678.9);
  const mark = (wanted: string, usual: string) =>
    parts.find(({ type }) => type === wanted)?.value.slice(0, 1) ?? usual;
  return {
    marks: {
      decimal: mark('decimal', '.'),
      thousands: mark('group', ','),
      power_of_ten: ['{a} × 10^{b}'],
    },
    ones: {},
    tens: {},
    hundred: [],
    scales: {},
    one: [],
    and: [],
    point: [],
    minus: [],
    groups: {},
    parts: {},
    ordinals: {},
    ordinal_endings: [],
  };
}

/** Signs of units, and their names in CLDR. A single letter may be another word: "2026 m." in Lithuanian. */
const unitNames: Readonly<Record<string, string>> = {
  km: 'kilometer',
  cm: 'centimeter',
  mm: 'millimeter',
  kg: 'kilogram',
  ml: 'milliliter',
  min: 'minute',
  'km/h': 'kilometer-per-hour',
  '°C': 'celsius',
  '°F': 'fahrenheit',
  kB: 'kilobyte',
  MB: 'megabyte',
  GB: 'gigabyte',
};

/** Words for "%" that CLDR lacks. */
const percents: Readonly<Record<string, string>> = {
  gl: 'por cento',
  ko: '퍼센트',
  vi: 'phần trăm',
  'zh-CN': '百分比',
  'zh-HK': '百分比',
  'zh-TW': '百分比',
};

/** The word of a unit after a number. */
function unitWord(tag: string, unit: string, count: number): string {
  const parts = new Intl.NumberFormat(communityLocale(tag), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).formatToParts(count);
  return parts.flatMap(({ type, value }) => (type === 'unit' ? value.trim() : [])).join(' ');
}

/** Words for signs that would otherwise not be said. Numbers and dates are read by the voice. */
function speakingIn(tag: string, { minus }: OwnSentences): Omit<Speaking, 'marks' | 'formOf' | 'ordinalOf'> {
  const percent = percents[tag] ?? unitWord(tag, 'percent', 5);
  const months = Array.from({ length: 12 }, (_, month) =>
    new Intl.DateTimeFormat(tag, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2026, month, 1)),
  );
  return {
    espeak_voice: voices[tag] ?? tag.toLowerCase(),
    abbreviations: {
      never_last: {},
      before_numbers: {},
      sometimes_last: {},
      no_initials: [],
      ordinals: true,
    },
    phrase_openers: [],
    said_as: {},
    // In Basque dates: "2026(e)ko", "21(a)".
    optional_endings: ['e', 'a'],
    code: '…',
    link: '…',
    dot: '.',
    at: '@',
    or: '/',
    per: '/',
    per_words: [],
    symbols: { '%': percent, '°': unitWord(tag, 'degree', 5) },
    before_numbers: { '-': minus, '−': minus },
    between_numbers: {},
    in_sums: {},
    amount: ['{n} {unit}'],
    units: Object.fromEntries(
      Object.entries(unitNames).map(([sign, unit]) => [
        sign,
        [unitWord(tag, unit, 1), unitWord(tag, unit, 5)],
      ]),
    ),
    close_units: {},
    labelled: [],
    apart_units: {},
    currencies: {},
    magnitudes: {},
    shortened: [],
    in_millions: [],
    fractions: {},
    corrections: {},
    months,
    date: '{day} {month} {year}',
    day: '{day} {month}',
    day_after: [],
    month_first: false,
    hours: 24,
    o_clock: '{hour}',
    afternoon: '{hour}',
    midnight: '0',
    half_days: [],
    roman: {
      numbered: [],
      rulers: [],
      in_order: [],
      goes_on: [],
      ordinal: ['{n}'],
      ordinal_endings: { one: '.', two: '.', few: '.', other: '.' },
    },
    dial: [],
    flights: [],
    telephone_numbers: [],
    years: { from: 9998, to: 9999 },
    year_endings: [],
    year_parts: '{century}{rest}',
    year_parts_oh: '{century}{rest}',
    minute_oh: '{hour}:0{minute}',
    pronounced: {},
  };
}

/** Voices of espeak-ng with another name than the language. */
const voices: Readonly<Record<string, string>> = {
  // espeak-ng has no Galician; Portuguese is the closest.
  gl: 'pt',
  'sr-Latn': 'sr',
  'zh-CN': 'cmn',
  'zh-TW': 'cmn',
  'zh-HK': 'yue',
};

function promptOf({ always, without_tools, last }: CommunityFile['prompt'], tag: string): PromptWords {
  const language = languageName(tag);
  return {
    instructions: {
      always: always.map((each) => fill([each], { language })),
      without_tools: [without_tools],
      with_tools: [without_tools],
      last: [last],
    },
    locale: tag,
    context: ['({weekday}, {day} {month} {year}, {hour}:{minute}.)'],
    context_in_room: ['({weekday}, {day} {month} {year}, {hour}:{minute}. {room}.)'],
    note: ['({question} – {answer})'],
    hello: '👋',
  };
}

/** Our sentences and the community's in the places of `phrases.yaml`. */
function phrasesOf(words: CommunityWords, prompt: CommunityFile['prompt'], language: string): Phrases {
  const { own, error } = words;
  const [notCaught, failed] = [[error('no_intent')], [error('handle_error')]];
  const [cannot, unsure, low] = [[own.cannot], [own.unsure], [own.low_space]];
  const ring = { plain: [`${own.time_is_up}.`], named: [`${own.time_is_up}: {label}.`] };
  const rings = {
    timer: ring.plain,
    timer_named: ring.named,
    alarm: ring.plain,
    alarm_named: ring.named,
    reminder: ring.plain,
    reminder_named: ring.named,
  };
  const ago = ['{n}'];
  return {
    not_caught: notCaught,
    did_you_say: notCaught,
    did_you_mean: notCaught,
    ask_again: ['{question}'],
    gave_up: notCaught,
    still_thinking: [own.wait],
    done: [own.done],
    only_words: notCaught,
    about_pictures: [prompt.about_pictures],
    go_on: [prompt.go_on],
    greet_me: [fill([prompt.greet_me], { language })],
    let_me_in: ['{digits}. {digits}.'],
    // The community has no such question. Anyone can answer that of the check.
    satellite: { hear_me: own.check },
    sample: [`${own.ok} ${own.wait} ${own.done}`],
    check: own.check,
    timers: {
      now: rings,
      late: rings,
      after_off: rings,
      after_step: rings,
      missed: rings,
      ago: { minute: ago, minutes: ago, hour: ago, hours: ago, day: ago, days: ago },
    },
    notices: { memory: low, disk: low },
    failures: {
      overloaded: cannot,
      question_too_long: notCaught,
      too_large: notCaught,
      no_audio: notCaught,
      audio_unreadable: notCaught,
      llm_unavailable: cannot,
      llm_timeout: cannot,
      llm_bad_answer: cannot,
      stt_unavailable: cannot,
      stt_timeout: cannot,
      stt_bad_answer: notCaught,
      tts_unavailable: cannot,
      home_unavailable: cannot,
      home_timeout: unsure,
      home_unreachable: cannot,
      home_starting: cannot,
      home_refused: cannot,
      home_banned: cannot,
      not_possible: cannot,
      redis_unavailable: cannot,
      redis_full: low,
      redis_disk_full: low,
      redis_disk_failed: cannot,
      queue_timeout: cannot,
      worker_unavailable: cannot,
      shutting_down: cannot,
      turn_timeout: cannot,
      outcome_unknown: unsure,
      internal: failed,
    },
  };
}
