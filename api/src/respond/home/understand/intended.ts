import type { Reading } from '../../../engines/home-dry-run.ts';
import { domainOf } from '../../../engines/home-templates.ts';
import { kindOfDomain } from './home-words.ts';
import type { HouseSentence } from './understood.ts';

/** Whether an entity of a domain may be changed. */
type May = (domain: string) => boolean;

const only =
  (...domains: readonly string[]): May =>
  (domain) =>
    domains.includes(domain);
/** Home Assistant also opens, closes, locks and unlocks through turn on and off. */
const openable = only('cover', 'valve');
const lockable = only('lock');
const switchable: May = (domain) => !openable(domain) && !lockable(domain);
const player = only('media_player');

const heated = only('climate', 'water_heater');
const humid = only('humidifier');

/**
 * Home Assistant intents allowed for each of ours, and their domains. All others differ from the spoken
 * command.
 */
const changes = new Map<string, ReadonlyMap<string, May>>([
  ['on', new Map([['HassTurnOn', switchable], ...started()])],
  ['off', new Map([['HassTurnOff', switchable], ...docked()])],
  ['brew', new Map([['HassTurnOn', switchable]])],
  ['open', new Map([['HassTurnOn', openable]])],
  ['close', new Map([['HassTurnOff', openable]])],
  ['lock', new Map([['HassTurnOn', lockable]])],
  ['unlock', new Map([['HassTurnOff', lockable]])],
  [
    'set',
    new Map([
      ['HassLightSet', only('light')],
      ['HassSetPosition', openable],
      ['HassClimateSetTemperature', heated],
      ['HassFanSetSpeed', only('fan')],
      ['HassHumidifierSetpoint', humid],
      ['HassHumidifierMode', humid],
      ['HassSetVolume', player],
      ['HassSetVolumeRelative', player],
    ]),
  ],
  ['louder', relative()],
  ['quieter', relative()],
  ['volume', new Map([['HassSetVolume', player]])],
  ['mute', new Map([['HassMediaPlayerMute', player]])],
  ['music_off', new Map([['HassTurnOff', player]])],
  ['unmute', new Map([['HassMediaPlayerUnmute', player]])],
  ['pause', new Map([['HassMediaPause', player]])],
  ['resume', new Map([['HassMediaUnpause', player]])],
  ['next', new Map([['HassMediaNext', player]])],
  ['previous', new Map([['HassMediaPrevious', player]])],
  ['clean', new Map([...started(), ['HassVacuumCleanArea', only('vacuum')]])],
  ['mow', new Map([['HassLawnMowerStartMowing', only('lawn_mower')]])],
  ['park', new Map([['HassLawnMowerDock', only('lawn_mower')]])],
  ['dock', new Map(docked())],
  ['warmer', tempered()],
  ['cooler', tempered()],
  ['brighter', lit()],
  ['darker', lit()],
  ['shine', lit()],
  ['color', lit()],
  [
    'start',
    new Map([
      ['HassTurnOn', switchable],
      ['HassMediaUnpause', player],
      ['HassMediaPlayerUnmute', player],
      ...started(),
    ]),
  ],
  [
    'stop',
    new Map([
      ['HassTurnOff', switchable],
      ['HassMediaPause', player],
      ['HassMediaPlayerMute', player],
      ['HassStopMoving', openable],
      ...docked(),
    ]),
  ],
]);

function relative(): ReadonlyMap<string, May> {
  return new Map([['HassSetVolumeRelative', player]]);
}

function tempered(): ReadonlyMap<string, May> {
  return new Map([['HassClimateSetTemperature', heated]]);
}

function lit(): ReadonlyMap<string, May> {
  return new Map([['HassLightSet', only('light')]]);
}

function started(): [string, May][] {
  return [
    ['HassVacuumStart', only('vacuum')],
    ['HassLawnMowerStartMowing', only('lawn_mower')],
  ];
}

function docked(): [string, May][] {
  return [
    ['HassVacuumReturnToBase', only('vacuum')],
    ['HassLawnMowerDock', only('lawn_mower')],
  ];
}

/** These act on all entities in a sentence; every other intent acts only on its own domain. */
const toAll = new Set(['HassTurnOn', 'HassTurnOff']);
/** The slots that limit a command to part of the house. */
const bounds = ['name', 'area', 'floor'];

/**
 * Whether Home Assistant would do exactly what was said. It must make the same change, to the same kind, and
 * to no more entities.
 */
export function isIntended(
  reading: Reading | null,
  { intent, kinds, isEverywhere }: { intent: string } & Pick<HouseSentence, 'kinds' | 'isEverywhere'>,
): boolean {
  if (!reading || reading.isOwn) return reading !== null;
  const may = changes.get(intent)?.get(reading.intent);
  if (!may || !(isEverywhere || bounds.some((slot) => reading.slots.includes(slot)))) return false;
  const domains = reading.targets.map(domainOf);
  const touched = toAll.has(reading.intent) ? domains : domains.filter(may);
  // An entity with exactly the spoken name is right, whatever its kind.
  const isOfKind = (domain: string) =>
    kinds.length === 0 || reading.slots.includes('name') || kinds.includes(kindOfDomain[domain] ?? 'power');
  return touched.length > 0 && touched.every((domain) => may(domain) && isOfKind(domain));
}

/** Our name for the change that a reading makes to these kinds; null: unknown. */
export function changeOf(reading: Reading, kinds: HouseSentence['kinds']): string | null {
  const may = [...changes.keys()].filter((intent) =>
    isIntended(reading, { intent, kinds, isEverywhere: false }),
  );
  return may[0] ?? null;
}

/** Whether a reading sets the colour of a light. The temperature of a light is a colour. */
export function setsColor({ intent, slots }: Pick<Reading, 'intent' | 'slots'>): boolean {
  return intent === 'HassLightSet' && ['color', 'temperature'].some((slot) => slots.includes(slot));
}

/** Our name for the change of a reading to an entity of a domain; null: unknown. */
export function changeIn(domain: string, reading: Pick<Reading, 'intent' | 'slots'>): string | null {
  if (setsColor(reading)) return 'color';
  const [change] = [...changes].find(([, intents]) => intents.get(reading.intent)?.(domain)) ?? [null];
  return change;
}

/** Home Assistant's slot with the number that an entity of a domain is set to. */
const settingSlots: Readonly<Record<string, string>> = {
  light: 'brightness',
  fan: 'percentage',
  cover: 'position',
  valve: 'position',
  climate: 'temperature',
  water_heater: 'temperature',
  humidifier: 'humidity',
  media_player: 'volume_level',
};

/** The percent or degrees that an entity of a domain is set to. Undefined: no number. */
export function valueIn(domain: string, numbers: Reading['numbers']): number | undefined {
  return numbers[settingSlots[domain] ?? ''];
}
