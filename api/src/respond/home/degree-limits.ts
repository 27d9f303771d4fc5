import type { HomeClient } from '../../engines/home-client.ts';
import type { HomeSetting } from '../../engines/home-setting.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { SayHome } from './home-reports.ts';
import type { HomeAsk } from './home-result.ts';
import { serviceFor } from './home-services.ts';
import type { House } from './house.ts';
import type { Order } from './target-resolver.ts';
import { type HomeWords, kindOfDomain } from './understand/home-words.ts';
import type { UnderstoodCommand } from './understand/understood.ts';

interface DegreeLimitsOptions {
  client: Pick<HomeClient, 'setting'>;
  house: Pick<House, 'nameOf'>;
  words: Pick<HomeWords, 'scales' | 'fahrenheit'>;
  reply: SayHome;
}

/** A temperature that a thermostat does not accept: converted to its scale, or refused. */
type OutOfLimits = { order: Order; value: number; confirmation: string } | { refusal: string };

type Limits = NonNullable<HomeSetting['limits']>;

/**
 * Checks a temperature against the limits of its only thermostat. Null: it is within them, or
 * they are unknown.
 */
export function createDegreeLimits({ client, house, words, reply }: DegreeLimitsOptions) {
  /** Converts to the other scale, if the person named a scale and only that fits. */
  const converted = ({ text, setTo }: UnderstoodCommand, limits: Limits): number | null => {
    const said = text.toLowerCase().split(/[^\p{L}]+/u);
    const named = said.find((word) => words.scales.includes(word));
    if (setTo === null || named === undefined) return null;
    const isFahrenheit = words.fahrenheit.includes(named);
    const value = isFahrenheit ? ((setTo - 32) * 5) / 9 : (setTo * 9) / 5 + 32;
    // Thermostats have steps of half or whole degrees.
    const rounded = isFahrenheit ? Math.round(value * 2) / 2 : Math.round(value);
    return isWithin(rounded, limits) ? rounded : null;
  };

  return async (
    command: UnderstoodCommand,
    ids: readonly string[],
    { turn, signal }: HomeAsk,
  ): Promise<OutOfLimits | null> => {
    const [id, ...others] = ids;
    if (command.setTo === null || id === undefined || others.length > 0 || !isHeating(id)) return null;
    const name = house.nameOf(id) ?? id;
    const limits = (await client.setting(id, signal))?.limits;
    if (!limits || isWithin(command.setTo, limits)) return null;
    const value = converted(command, limits);
    const thing = { id, name };
    const call = value === null ? null : serviceFor('set', id, { number: value, text: '' });
    if (value === null || call === null)
      return { refusal: reply('out_of_limits', { thing: name, ...limits }, turn) };
    return {
      order: { thing, call, value },
      value,
      confirmation: reply('temperature', { value: String(value) }, turn),
    };
  };
}

const isHeating = (id: string) => kindOfDomain[domainOf(id)] === 'climate';
const isWithin = (value: number, { low, high }: Limits) => value >= low && value <= high;
