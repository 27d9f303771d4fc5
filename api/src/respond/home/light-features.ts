import type { HomeClient } from '../../engines/home-client.ts';
import type { LightFeature } from '../../engines/home-setting.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { HomeReports, SayHome } from './home-reports.ts';
import { denial, type HomeAsk, type HomeResult } from './home-result.ts';
import { serviceFor } from './home-services.ts';
import type { House } from './house.ts';
import type { Order } from './target-resolver.ts';
import type { UnderstoodCommand } from './understand/understood.ts';

interface LightFeaturesOptions {
  client: Pick<HomeClient, 'mayHaveFeature'>;
  house: Pick<House, 'thingsOf'>;
  reply: SayHome;
  reports: Pick<HomeReports, 'named'>;
}

/** The service calls for the lights that have the feature, or the reason why none has it. */
type LightsWithFeature = { orders: readonly Order[] } | { refusal: HomeResult };

/** The feature that a command sets, with the service call's value. Null: it sets none. */
function featureOf({ intent, setTo, each }: UnderstoodCommand) {
  const text = each?.value ?? '';
  if (intent === 'color') return text === '' ? null : { feature: 'color' as const, number: null, text };
  return setTo === null ? null : { feature: 'brightness' as const, number: setTo, text };
}

/** The lights with a feature. Null: some of the entities are not lights. */
export async function lightsWith(
  feature: LightFeature,
  ids: readonly string[],
  { client, signal }: { client: Pick<HomeClient, 'mayHaveFeature'>; signal: AbortSignal },
): Promise<readonly string[] | null> {
  if (ids.length === 0 || ids.some((id) => domainOf(id) !== 'light')) return null;
  const found = await Promise.all(ids.map((id) => client.mayHaveFeature(id, feature, signal)));
  return ids.filter((_, at) => found[at]);
}

/**
 * Home Assistant sets all lights of a room at once. It also switches on those that cannot be dimmed or show
 * no colour. The result leaves these out. Null: every entity has the feature, or the command sets none.
 */
export function createLightFeatures({ client, house, reply, reports }: LightFeaturesOptions) {
  return async (
    command: UnderstoodCommand,
    ids: readonly string[],
    { turn, signal }: Pick<HomeAsk, 'turn' | 'signal'>,
  ): Promise<LightsWithFeature | null> => {
    const wanted = featureOf(command);
    const able = wanted && (await lightsWith(wanted.feature, ids, { client, signal }));
    if (!wanted || !able || able.length === ids.length) return null;
    const { feature, number, text } = wanted;
    if (able.length === 0) {
      const key = feature === 'color' ? 'no_color' : 'not_dimmable';
      return { refusal: denial(reply(key, { things_start: reports.named(house.thingsOf(ids)) }, turn)) };
    }
    const intent = feature === 'color' ? 'color' : 'shine';
    const orders = house.thingsOf(able).flatMap((thing) => {
      const call = serviceFor(intent, thing.id, { number, text });
      return call ? [{ thing, call, value: number }] : [];
    });
    return { orders };
  };
}
