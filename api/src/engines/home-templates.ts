import { z } from 'zod';

/** Of a big house the first ones: more names cannot be told apart by ear. */
const most = { areas: 200, things: 1_000 };

/** The kinds of things that can be commanded. */
const domains = [
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

const areaSchema = z.object({ name: z.string(), ids: z.array(z.string()) });
const thingSchema = z.object({
  id: z.string(),
  name: z.string(),
  deviceClass: z.string().nullable().default(null),
});
export const houseSchema = z.object({
  areas: z.array(areaSchema),
  floors: z.array(z.string()),
  things: z.array(thingSchema),
});

/** The house: its rooms, floors and things by name. */
export interface HouseFacts extends z.infer<typeof houseSchema> {
  /** The token is none of an administrator's: nothing can be learned. */
  isLimited: boolean;
}

/** Names, and the ids of what is in each area. Whether a thing may be commanded by voice is Home Assistant's to decide. */
export const houseTemplate = `
{%- set found = namespace(areas=[], things=[], floors=[]) -%}
{%- for area in (areas() | list)[:${most.areas}] -%}
  {%- set found.areas = found.areas + [{'name': area_name(area), 'ids': area_entities(area)}] -%}
{%- endfor -%}
{%- if floors is defined -%}
  {%- for floor in (floors() | list)[:50] -%}{%- set found.floors = found.floors + [floor_name(floor)] -%}{%- endfor -%}
{%- endif -%}
{%- for state in (states | selectattr('domain', 'in', ${JSON.stringify(domains)}) | list)[:${most.things}] -%}
  {%- set found.things = found.things + [{'id': state.entity_id, 'name': state.name, 'deviceClass': state.attributes.device_class | default(none)}] -%}
{%- endfor -%}
{{ {'areas': found.areas, 'floors': found.floors, 'things': found.things} | tojson }}`;

export const statesTemplate = `
{%- set found = namespace(states={}) -%}
{%- for state in (states | selectattr('domain', 'in', ${JSON.stringify(domains)}) | list)[:${most.things}] -%}
  {%- set found.states = dict(found.states, **{state.entity_id: state.state}) -%}
{%- endfor -%}
{{ found.states | tojson }}`;
