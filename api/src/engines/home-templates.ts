import { z } from 'zod';

/** Limits that no house reaches. The response stays within its maximum size even if all are reached. */
const limits = { areas: 500, things: 5_000, floors: 50, speakers: 200 };
/** Names longer than this are never spoken. */
const maxNameCharacters = 100;

/** The domains that accept commands. */
export const commandedDomains = [
  ...['light', 'switch', 'fan', 'cover', 'lock', 'climate', 'media_player', 'scene', 'script', 'vacuum'],
  ...[
    'valve',
    'humidifier',
    'input_boolean',
    'water_heater',
    'lawn_mower',
    'siren',
    'button',
    'input_button',
  ],
];

/** The domains that only report states. */
export const stateOnlyDomains = ['sensor', 'binary_sensor', 'weather', 'input_number', 'number', 'person'];

/** The domain of an entity in Home Assistant: `light` of `light.kitchen_ceiling`. */
export function domainOf(id: string): string {
  const end = id.indexOf('.');
  return end < 0 ? id : id.slice(0, end);
}

/** A name as a voice can say it: one line, without invisible characters; '' if nothing is left. */
export function sayable(name: string): string {
  const plain = name.replaceAll(/[\p{C}\s]+/gu, ' ').trim();
  return plain.length <= maxNameCharacters ? plain : '';
}

const areaSchema = z.object({
  name: z.string().transform(sayable),
  ids: z.array(z.string()),
  /** A device in the room: Home Assistant treats it as the place where the sentence was said. */
  device: z.string().nullable().default(null),
});
/** Parallel lists: a template builds a list of long records far more slowly. */
const thingsSchema = z.object({
  ids: z.array(z.string()),
  names: z.array(z.string()),
  classes: z.array(z.string()),
});

interface Thing {
  id: string;
  name: string;
  /** Its other names. */
  aliases: readonly string[];
  deviceClass: string | null;
}

/** A voice device or a player, in its area. */
export interface SpeakingThing {
  id: string;
  area: string;
  features: number;
  deviceClass: string;
}

/** Parallel lists too: each speaker with its area, feature bits and device class. */
const speakersSchema = z.object({
  ids: z.array(z.string()),
  areas: z.array(z.string().nullable()),
  features: z.array(z.number()),
  classes: z.array(z.string()),
});

export const houseSchema = z.object({
  areas: z.array(areaSchema).transform((areas) => areas.filter(({ name }) => name !== '')),
  floors: z
    .array(z.string().transform(sayable))
    .transform((floors) => floors.filter((floor) => floor !== '')),
  speakers: speakersSchema.transform(({ ids, areas, features, classes }): SpeakingThing[] =>
    ids.flatMap((id, at) => {
      const area = sayable(areas[at] ?? '');
      return area === '' ? [] : [{ id, area, features: features[at] ?? 0, deviceClass: classes[at] ?? '' }];
    }),
  ),
  things: thingsSchema.transform(({ ids, names, classes }): Thing[] =>
    ids.flatMap((id, at) => {
      const name = sayable(names[at] ?? '');
      return name === '' ? [] : [{ id, name, aliases: [], deviceClass: classes[at] || null }];
    }),
  ),
});

/** The house: its rooms, floors and entities by name. */
export interface HouseFacts extends Omit<z.infer<typeof houseSchema>, 'speakers'> {
  /** The token is not an administrator's, so it can read nothing. */
  isLimited: boolean;
}

const found = `(states | selectattr('domain', 'in', ${JSON.stringify(commandedDomains)}) | list)[:${limits.things}]`;

/** Names, and the ids in each area. Home Assistant decides which of them accept voice commands. */
export const houseTemplate = `
{%- set found = namespace(areas=[], floors=[]) -%}
{%- for area in (areas() | list)[:${limits.areas}] -%}
  {%- set found.areas = found.areas + [{'name': area_name(area), 'ids': area_entities(area), 'device': area_devices(area) | first | default(none)}] -%}
{%- endfor -%}
{%- if floors is defined -%}
  {%- for floor in (floors() | list)[:${limits.floors}] -%}{%- set found.floors = found.floors + [floor_name(floor)] -%}{%- endfor -%}
{%- endif -%}
{%- set things = ${found} -%}
{%- set speakers = (states | selectattr('domain', 'in', ['assist_satellite', 'media_player']) | rejectattr('state', 'eq', 'unavailable') | list)[:${limits.speakers}] -%}
{{ {
  'areas': found.areas,
  'floors': found.floors,
  'speakers': {
    'ids': speakers | map(attribute='entity_id') | list,
    'areas': speakers | map(attribute='entity_id') | map('area_name') | list,
    'features': speakers | map(attribute='attributes.supported_features', default=0) | map('int', 0) | list,
    'classes': speakers | map(attribute='attributes.device_class', default='') | map('default', '', true) | list
  },
  'things': {
    'ids': things | map(attribute='entity_id') | list,
    'names': things | map(attribute='name') | list,
    'classes': things | map(attribute='attributes.device_class', default='') | map('default', '', true) | list
  }
} | tojson }}`;

const heldSchema = z.object({ ids: z.array(z.string()), states: z.array(z.string()) });

/** The states of all entities, by id. */
export const heldStatesSchema = heldSchema.transform(
  ({ ids, states }): Readonly<Record<string, string>> =>
    Object.fromEntries(ids.map((id, at) => [id, states[at] ?? 'unknown'])),
);

export const statesTemplate = `
{%- set things = ${found} -%}
{{ {
  'ids': things | map(attribute='entity_id') | list,
  'states': things | map(attribute='state') | list
} | tojson }}`;

/** The area of the first of `ids` (devices and entities) that has one. */
export const areaTemplate = `
{%- set found = namespace(area='') -%}
{%- for id in ids -%}{%- if not found.area -%}{%- set found.area = area_name(id) or '' -%}{%- endif -%}{%- endfor -%}
{{ {'area': found.area} | tojson }}`;

export const foundAreaSchema = z.object({ area: z.string().transform(sayable) });
