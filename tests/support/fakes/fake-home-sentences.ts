/** A thing in the fake house. */
export interface Thing {
  name: string;
  area: string;
  state: string;
  /** Its other names. */
  aliases?: readonly string[];
  deviceClass?: string;
  /** The attributes that listeners receive besides its state. */
  attributes?: Readonly<Record<string, unknown>>;
  /** Bits of its supported features. */
  features?: number;
  /** It is not exposed to Assist. */
  isHidden?: boolean;
  /** Its state after a command; the commanded state if missing. */
  becomes?: string;
}

type Things = Readonly<Record<string, Thing>>;

/** Home Assistant's reading of a sentence, as its debug command reports it. */
export interface FakeReading {
  intent?: { name: string };
  slots?: Record<string, string>;
  targets?: Record<string, object>;
  unmatched_slots?: Record<string, string>;
  match: boolean;
  fuzzy_match?: boolean;
  source?: string;
}

const states: Readonly<Record<string, string>> = {
  ...{ 'turn on': 'on', 'turn off': 'off', open: 'open', close: 'closed', lock: 'locked' },
  unlock: 'unlocked',
};
const command = /^(turn on|turn off|open|close|lock|unlock) (all )?(?:the )?(.+?)$/;
const setting = /^set (all )?(?:the )?(.+?) to (.+)$/;
const asking =
  /^(?:is (?:the )?(.+)|(?:are|is) (?:all|any) (?:the )?(.+?)|which (.+) are) (on|off|locked|unlocked|open|closed)(?: in the (.+))?$/;
const measuring = /^what is the (?:(.+) )?(?:temperature|humidity)(?: in the (.+))?$/;

const domainOf = (id: string) => id.split('.')[0] ?? '';
const kinds: Readonly<Record<string, string>> = {
  light: 'light',
  lights: 'light',
  door: 'lock',
  doors: 'lock',
};

/** The things a description names, word for word; null if it contains a word unknown to Home Assistant. */
function meant(things: Things, words: string): { slots: Record<string, string>; ids: string[] } | null {
  const ids = Object.keys(things);
  const namesOf = (id: string) => [things[id]?.name ?? '', ...(things[id]?.aliases ?? [])];
  const named = ids.filter((id) => namesOf(id).some((name) => name.toLowerCase() === words));
  // Of several things with one name it matches only one in a given room.
  if (named.length > 0) return { slots: { name: words }, ids: named.length === 1 ? named : [] };
  const [, name, room] = /^(.+) in the (.+)$/.exec(words) ?? [];
  const there = ids.filter(
    (id) => things[id]?.name.toLowerCase() === name && things[id]?.area.toLowerCase() === room,
  );
  if (there.length > 0) return { slots: { name: words }, ids: there.length === 1 ? there : [] };
  const areas = new Set(ids.map((id) => things[id]?.area.toLowerCase()));
  const [, before, kind = '', behind] = /^(?:(.+) )?(lights?|doors?)(?: in the (.+))?$/.exec(words) ?? [];
  const area = before ?? behind;
  const domain = kinds[kind];
  if (domain === undefined || (area !== undefined && !areas.has(area))) return null;
  const within = ids.filter(
    (id) => domainOf(id) === domain && (area === undefined || things[id]?.area.toLowerCase() === area),
  );
  return { slots: { domain, ...(area !== undefined && { area }) }, ids: within };
}

/** The words for the commanded things, and their wanted state. */
export function commanded(text: string): { words: string; isAll: boolean; state: string } | null {
  const [, verb = '', all, words = ''] = command.exec(text.toLowerCase()) ?? [];
  const state = states[verb];
  return state === undefined ? null : { words, isAll: all !== undefined, state };
}

/**
 * Guesses the things a sentence refers to. It drops unknown words and assumes the room in which the sentence
 * was said.
 */
export function guessed(things: Things, words: string, room: string | undefined): string[] {
  const exact = meant(things, words);
  if (exact && (exact.slots['name'] ?? exact.slots['area']) !== undefined) return exact.ids;
  return /lights?\b/.test(words) && room !== undefined
    ? (meant(things, `lights in the ${room.toLowerCase()}`)?.ids ?? [])
    : [];
}

const matched = (name: string, found: NonNullable<ReturnType<typeof meant>>): FakeReading => ({
  intent: { name },
  slots: found.slots,
  targets: Object.fromEntries(found.ids.map((id) => [id, { matched: true }])),
  unmatched_slots: {},
  match: true,
  source: 'builtin',
});
const unmatched = (name: string, words: string): FakeReading => ({
  intent: { name },
  slots: {},
  targets: {},
  unmatched_slots: { name: words },
  match: false,
  source: 'builtin',
});

/** A command without a name or an area matches only if it turns off all lights. */
function readCommand(
  things: Things,
  { words, isAll, state }: NonNullable<ReturnType<typeof commanded>>,
): FakeReading {
  const name = ['on', 'open', 'locked'].includes(state) ? 'HassTurnOn' : 'HassTurnOff';
  const found = meant(things, words);
  const isBound = found && (found.slots['name'] ?? found.slots['area']) !== undefined;
  return found && (isBound || (isAll && state === 'off')) ? matched(name, found) : unmatched(name, words);
}

function readSetting(things: Things, words: string): FakeReading {
  const found = meant(things, words);
  const isBound = found && (found.slots['name'] ?? found.slots['area']) !== undefined;
  const isCover = found?.ids.every((id) => domainOf(id) === 'cover');
  return isBound
    ? matched(isCover ? 'HassSetPosition' : 'HassLightSet', found)
    : unmatched('HassLightSet', words);
}

/**
 * Reads "are all the lights on" and "is the front door locked". It mistakes "are the lights on" for a command
 * to some "are the lights".
 */
function readQuestion(things: Things, [, one, many, which, , area]: RegExpExecArray): FakeReading {
  const asked = one ?? many ?? which ?? '';
  const found = meant(things, area === undefined ? asked : `${asked} in the ${area}`);
  const isKnown = found && (one === undefined || found.slots['name'] !== undefined);
  return isKnown ? matched('HassGetState', found) : unmatched('HassTurnOn', asked);
}

/** Home Assistant's own report of its reading, as in 2026.11; null if it has none. */
export function readSentence(things: Things, text: string): FakeReading | null {
  const said = text.toLowerCase();
  const acting = commanded(said);
  if (acting) return readCommand(things, acting);
  const set = setting.exec(said)?.[2];
  if (set !== undefined) return readSetting(things, set);
  const asked = asking.exec(said);
  if (asked) return readQuestion(things, asked);
  if (measuring.test(said)) return matched('HassClimateGetTemperature', { slots: {}, ids: [] });
  return /^(?:turn|make|put|are|is)\b/.test(said) ? unmatched('HassTurnOn', said) : null;
}
