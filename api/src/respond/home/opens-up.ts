import type { Reading } from '../../engines/home-dry-run.ts';
import { type HomeError, recovering } from '../../engines/home-fault.ts';
import { domainOf } from '../../engines/home-templates.ts';
import type { HomeAsk } from './home-result.ts';
import type { House } from './house.ts';
import type { HouseCommand, UnderstoodCommand } from './understand/understood.ts';

/** Domains that let no one in. Scripts, scenes and buttons are excluded, because their effect is unknown. */
const harmless = new Set([
  ...['light', 'switch', 'fan', 'climate', 'media_player', 'vacuum', 'lawn_mower'],
  ...['humidifier', 'water_heater', 'input_boolean'],
]);
/** Covers that are not an entrance. One without a class may be a gate. */
const harmlessCovers = new Set(['awning', 'blind', 'curtain', 'damper', 'shade', 'shutter']);
/** Home Assistant intents limited to these domains, whatever target is named. */
const harmlessIntent = /^Hass(?:Light|Climate|Media|Fan|Vacuum|LawnMower|Humidifier|SetVolume|\w*Get)/;

/** Commands that let no one in, even on a lock or a gate. */
export const shutting: ReadonlySet<string> = new Set(['lock', 'close']);

type ClassOf = (id: string) => string | null;
type Opening = Pick<Reading, 'intent' | 'isOwn' | 'targets'>;

/** Whether a thing may let someone in, or this is unknown. */
function isEntrance(id: string, classOf: ClassOf): boolean {
  const domain = domainOf(id);
  return domain === 'cover' ? !harmlessCovers.has(classOf(id) ?? '') : !harmless.has(domain);
}

/** Whether Home Assistant would or might open the house: locks, gates, valves, alarm systems. */
export function mayOpenUp({ intent, isOwn, targets }: Opening, classOf: ClassOf): boolean {
  if (isOwn) return true;
  if (harmlessIntent.test(intent)) return false;
  return targets.length === 0 || targets.some((id) => isEntrance(id, classOf));
}

const opening = new Set(['open', 'more_open', 'set']);

/**
 * Whether a command turns on everything in the home, or opens several things that may let someone in. A
 * misheard word must not do that.
 */
export function isSweeping(
  { intent, each, isEverywhere, place, reach }: UnderstoodCommand,
  ids: readonly string[],
  classOf: ClassOf,
): boolean {
  if (reach.by === 'choice' || ids.length < 2) return false;
  const isAll = each?.isEverything === true;
  if (intent === 'on') return isAll && place === '';
  return opening.has(intent) && (isAll || isEverywhere) && ids.some((id) => isEntrance(id, classOf));
}

interface OpensUpOptions {
  house: Pick<House, 'classOf'>;
  commands: { foreseen(command: HouseCommand, ask: HomeAsk): Promise<readonly Opening[]> };
  onFailure: (error: HomeError) => void;
}

/** Whether any of these commands may open the house to someone, or this is unknown. Changes nothing. */
export type OpensUp = (commands: readonly HouseCommand[], ask: HomeAsk) => Promise<boolean>;

/**
 * It checks the entities that Home Assistant would act on, never the words: names are arbitrary. A command
 * that would not be sent opens nothing.
 */
export function createOpensUp({ house, commands, onFailure }: OpensUpOptions): OpensUp {
  const look = async (wanted: readonly HouseCommand[], ask: HomeAsk) => {
    const readings = await Promise.all(wanted.map((command) => commands.foreseen(command, ask)));
    return readings.flat().some((reading) => mayOpenUp(reading, house.classOf));
  };
  return (wanted, ask) =>
    recovering(
      () => look(wanted, ask),
      (fault) => {
        onFailure(fault);
        return true;
      },
    );
}
