import type { HomeClient } from '../../engines/home-client.ts';
import type { SettableFeature } from '../../engines/home-setting.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { HomeReports, SayHome } from './home-reports.ts';
import type { HomeAsk } from './home-result.ts';
import { serviceFor } from './home-services.ts';
import type { House } from './house.ts';
import type { Order } from './target-resolver.ts';
import type { UnderstoodCommand } from './understand/understood.ts';

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
  speed: 'no_speed',
  position: 'no_position',
  volume: 'no_volume',
  temperature: 'takes_no_temperature',
} as const satisfies Record<SettableFeature, Parameters<SayHome>[0]>;

/** The feature that a command needs of an entity. Null: none. */
function featureFor({ intent, setTo, each }: UnderstoodCommand, id: string): SettableFeature | null {
  const domain = domainOf(id);
  if (intent === 'color') return domain === 'light' && each?.value ? 'color' : null;
  if (domain === 'fan' && (intent === 'faster' || intent === 'slower')) return 'speed';
  const isOfNumber = setTo !== null || (each !== null && each.by !== null);
  // A player without a volume that can be set may still have steps.
  if (setTo === null && domain === 'media_player') return null;
  return isOfNumber ? (numberFeatures[domain] ?? null) : null;
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
  return async (
    command: UnderstoodCommand,
    { ids, orders }: { ids: readonly string[]; orders: readonly Order[] },
    { turn, signal }: Pick<HomeAsk, 'turn' | 'signal'>,
  ): Promise<AbleThings | null> => {
    const needs = ids.map((id) => ({ id, feature: featureFor(command, id) }));
    const found = await Promise.all(
      needs.map(
        async ({ id, feature }) => feature === null || (await client.mayHaveFeature(id, feature, signal)),
      ),
    );
    const able = ids.filter((_, at) => found[at]);
    const feature = needs.find((_, at) => !found[at])?.feature ?? null;
    if (feature === null) return null;
    if (able.length === 0) {
      const things_start = reports.named(house.thingsOf(ids));
      return { unable: reply(replyWithout[feature], { things_start }, turn) };
    }
    const intent = feature === 'color' ? 'color' : 'set';
    const said = { number: command.setTo, text: command.each?.value ?? '' };
    return {
      orders: house.thingsOf(able).flatMap((thing) => {
        const known = orders.find((order) => order.thing.id === thing.id);
        const call = known ? null : serviceFor(intent, thing.id, said);
        return known ?? (call ? { thing, call, value: said.number } : []);
      }),
    };
  };
}
