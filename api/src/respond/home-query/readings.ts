import { attributeText, type Thing } from './house-things.ts';
import type { QueryMeasure, QueryWords } from './query-shape.ts';

/** A measured value of an entity. */
export interface MeasuredValue {
  thing: Thing;
  value: number;
  unit: string;
}

/**
 * The value of a measure that an entity reports. Null: it has none right now. Undefined: it never has one.
 */
export function readingOf(
  thing: Thing,
  measure: QueryMeasure,
  scales: QueryWords['scales'],
): MeasuredValue | null | undefined {
  const { domain, deviceClass, attributes, state } = thing;
  const isSensor = domain === 'sensor' || domain === 'number' || domain === 'input_number';
  if (isSensor && measure.classes.includes(deviceClass))
    return valued(thing, state, attributeText(attributes['unit_of_measurement']));
  const attribute = measure.attributes[domain];
  if (attribute === undefined || !(attribute in attributes)) return undefined;
  const raw = attributes[attribute];
  const scale = scales[attribute];
  const value = typeof raw === 'number' && scale !== undefined ? Math.round((raw / scale) * 100) : raw;
  const unit = measure.unit === '°' ? attributeText(attributes['temperature_unit']) || '°' : measure.unit;
  return valued(thing, value, scale === undefined ? unit : '%');
}

function valued(thing: Thing, raw: unknown, unit: string): MeasuredValue | null {
  const value = typeof raw === 'number' ? raw : raw === null || raw === '' ? Number.NaN : Number(raw);
  return Number.isFinite(value) ? { thing, value, unit } : null;
}

const maxDecimals = 1;
const maxSmallDigits = 2;

/** "55%", "22 °C", "1.5 kWh". */
export function spokenValue({ value, unit }: Pick<MeasuredValue, 'value' | 'unit'>): string {
  const isSmall = Math.abs(value) < 1;
  const rounded = Number(isSmall ? value.toPrecision(maxSmallDigits) : value.toFixed(maxDecimals));
  return unit === '%' || unit === '°' || unit === '' ? `${rounded}${unit}` : `${rounded} ${unit}`;
}

/** Drops values that one device reports twice, as a thermostat and as its sensor. Sensors come first. */
export function withoutTwins(readings: readonly MeasuredValue[]): MeasuredValue[] {
  const sorted = readings.toSorted((one, other) => rank(one) - rank(other));
  return sorted.filter(
    ({ thing, value }, at) =>
      !sorted
        .slice(0, at)
        .some(
          (other) =>
            other.thing.device !== null &&
            other.thing.device === thing.device &&
            Math.abs(other.value - value) < 1,
        ),
  );
}

const rank = ({ thing }: MeasuredValue) => (thing.domain === 'sensor' ? 0 : 1);
