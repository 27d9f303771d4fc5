import type { HomeClient } from '../../engines/home-client.ts';
import type { SettableFeature } from '../../engines/home-setting.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { HomeReports, SayHome } from './home-reports.ts';
import type { HomeAsk } from './home-result.ts';
import { serviceFor } from './home-services.ts';
import type { House } from './house.ts';
import { isOfWhite } from './steps.ts';
import type { Order } from './target-resolver.ts';
import type { Each, UnderstoodCommand } from './understand/understood.ts';

interface AbilitiesOptions {
  client: Pick<HomeClient, 'mayHaveFeature'>;
  house: Pick<House, 'thingsOf'>;
  reply: SayHome;
  reports: Pick<HomeReports, 'named'>;
}

/** The service calls for the entities with the feature, or the reason why none has it. */
type AbleThings = { orders: readonly Order[] } | { unable: string };

/** The feature by which an entity of a domain is set to a number. */
const numberFeatures: Readonly<Record<string, SettableFeature>> = {
  light: 'brightness',
  fan: 'speed',
  cover: 'position',
  valve: 'position',
  media_player: 'volume',
  climate: 'temperature',
  water_heater: 'temperature',
};

const replyWithout = {
  brightness: 'not_dimmable',
  color: 'no_color',
  color_temperature: 'no_color_temperature',
  speed: 'no_speed',
  position: 'no_position',
  volume: 'no_volume',
  temperature: 'takes_no_temperature',
} as const satisfies Record<SettableFeature, Parameters<SayHome>[0]>;

/** The features of an entity of which a command needs one, the best first. Empty: none. */
function featuresFor({ intent, setTo, each }: UnderstoodCommand, id: string): readonly SettableFeature[] {
  const domain = domainOf(id);
  if (isOfWhite(intent)) return domain === 'light' ? ['color_temperature'] : [];
  if (intent === 'color') return domain === 'light' ? colorFeatures(each) : [];
  if (domain === 'fan' && (intent === 'faster' || intent === 'slower')) return ['speed'];
  const isOfNumber = setTo !== null || (each !== null && each.by !== null);
  // A player without a volume that can be set may still have steps.
  if (setTo === null && domain === 'media_player') return [];
  const feature = isOfNumber ? numberFeatures[domain] : undefined;
  return feature === undefined ? [] : [feature];
}

/** White is a color, and on a light without colors a color temperature. */
function colorFeatures(each: Each | null): readonly SettableFeature[] {
  const { name = null, kelvin = null } = each?.light ?? {};
  return [
    ...(name === null ? [] : ['color' as const]),
    ...(kelvin === null ? [] : ['color_temperature' as const]),
  ];
}

/** The lights with a feature. Null: some of the entities are not lights. */
export async function lightsWith(
  feature: SettableFeature,
  ids: readonly string[],
  { client, signal }: { client: Pick<HomeClient, 'mayHaveFeature'>; signal: AbortSignal },
): Promise<readonly string[] | null> {
  if (ids.length === 0 || ids.some((id) => domainOf(id) !== 'light')) return null;
  const found = await Promise.all(ids.map((id) => client.mayHaveFeature(id, feature, signal)));
  return ids.filter((_, at) => found[at]);
}

/**
 * Home Assistant sets all entities of a room at once. It also switches on those that cannot be dimmed, show
 * no colour or have no speeds. The result leaves these out. Null: every entity can do it.
 */
export function createAbilities({ client, house, reply, reports }: AbilitiesOptions) {
  const featureOf = async (command: UnderstoodCommand, id: string, signal: AbortSignal) => {
    const features = featuresFor(command, id);
    const found = await Promise.all(features.map((each) => client.mayHaveFeature(id, each, signal)));
    const feature = features.find((_, at) => found[at]) ?? features[0] ?? null;
    return { id, feature, isAble: features.length === 0 || found.includes(true) };
  };

  return async (
    command: UnderstoodCommand,
    { ids, orders }: { ids: readonly string[]; orders: readonly Order[] },
    { turn, signal }: Pick<HomeAsk, 'turn' | 'signal'>,
  ): Promise<AbleThings | null> => {
    const found = await Promise.all(ids.map((id) => featureOf(command, id, signal)));
    const able = found.filter(({ isAble }) => isAble);
    const missing = found.find(({ isAble }) => !isAble)?.feature ?? null;
    // Home Assistant has no sentence for it.
    const isTemperature = able.some(({ feature }) => feature === 'color_temperature');
    if (missing === null && (!isTemperature || isOfWhite(command.intent))) return null;
    if (missing !== null && able.length === 0) {
      const things_start = reports.named(house.thingsOf(ids));
      return { unable: reply(replyWithout[missing], { things_start }, turn) };
    }
    return {
      orders: able.flatMap(({ id, feature }) => {
        const known = orders.find((order) => order.thing.id === id);
        if (known && (feature !== 'color_temperature' || isOfWhite(command.intent))) return known;
        return house.thingsOf([id]).flatMap((thing) => orderTo(command, thing, feature) ?? []);
      }),
    };
  };
}

function orderTo(
  { setTo, each }: UnderstoodCommand,
  thing: Order['thing'],
  feature: SettableFeature | null,
): Order | null {
  const isColor = feature === 'color' || feature === 'color_temperature';
  const kelvin = feature === 'color_temperature' ? (each?.light?.kelvin ?? null) : null;
  const said = { number: setTo, text: each?.value ?? '', kelvin };
  const call = serviceFor(isColor ? 'color' : 'set', thing.id, said);
  return call && { thing, call, value: setTo };
}
