import { type Fraction, fraction, readDigits } from '../numbers/fraction.ts';

const quantities = ['length', 'mass', 'volume', 'temperature', 'speed', 'time', 'area'] as const;

export interface Unit {
  quantity: (typeof quantities)[number];
  /**
   * Size in the quantity's base unit: metre, kilogram, litre, kelvin, metre per second, second, square metre.
   */
  factor: Fraction;
  /** Its zero in the base unit; only temperatures have an offset. */
  zero?: Fraction;
}

const of = (decimal: string): Fraction => readDigits(decimal) ?? fraction(0);

/**
 * Exact factors. SI: BIPM, The International System of Units, 9th edition, chapters 2 to 4. Inch and pound as
 * in the agreement of 1959: 1 in = 0.0254 m, 1 lb = 0.45359237 kg. US gallon = 231 cubic inches, imperial
 * gallon = 4.54609 litres: NIST Special Publication 811 (2008), appendix B.
 */
export const units = {
  millimetre: { quantity: 'length', factor: of('0.001') },
  centimetre: { quantity: 'length', factor: of('0.01') },
  decimetre: { quantity: 'length', factor: of('0.1') },
  metre: { quantity: 'length', factor: of('1') },
  kilometre: { quantity: 'length', factor: of('1000') },
  inch: { quantity: 'length', factor: of('0.0254') },
  foot: { quantity: 'length', factor: of('0.3048') },
  yard: { quantity: 'length', factor: of('0.9144') },
  mile: { quantity: 'length', factor: of('1609.344') },
  nautical_mile: { quantity: 'length', factor: of('1852') },

  milligram: { quantity: 'mass', factor: of('0.000001') },
  gram: { quantity: 'mass', factor: of('0.001') },
  kilogram: { quantity: 'mass', factor: of('1') },
  tonne: { quantity: 'mass', factor: of('1000') },
  ounce: { quantity: 'mass', factor: of('0.028349523125') },
  pound: { quantity: 'mass', factor: of('0.45359237') },
  stone: { quantity: 'mass', factor: of('6.35029318') },

  millilitre: { quantity: 'volume', factor: of('0.001') },
  centilitre: { quantity: 'volume', factor: of('0.01') },
  decilitre: { quantity: 'volume', factor: of('0.1') },
  litre: { quantity: 'volume', factor: of('1') },
  us_teaspoon: { quantity: 'volume', factor: of('0.00492892159375') },
  us_tablespoon: { quantity: 'volume', factor: of('0.01478676478125') },
  us_fluid_ounce: { quantity: 'volume', factor: of('0.0295735295625') },
  us_cup: { quantity: 'volume', factor: of('0.2365882365') },
  us_pint: { quantity: 'volume', factor: of('0.473176473') },
  us_quart: { quantity: 'volume', factor: of('0.946352946') },
  us_gallon: { quantity: 'volume', factor: of('3.785411784') },
  imperial_fluid_ounce: { quantity: 'volume', factor: of('0.0284130625') },
  imperial_pint: { quantity: 'volume', factor: of('0.56826125') },
  imperial_quart: { quantity: 'volume', factor: of('1.1365225') },
  imperial_gallon: { quantity: 'volume', factor: of('4.54609') },
  metric_teaspoon: { quantity: 'volume', factor: of('0.005') },
  metric_tablespoon: { quantity: 'volume', factor: of('0.015') },
  metric_cup: { quantity: 'volume', factor: of('0.25') },

  celsius: { quantity: 'temperature', factor: of('1'), zero: of('273.15') },
  fahrenheit: { quantity: 'temperature', factor: fraction(5, 9), zero: fraction(45967, 180) },
  kelvin: { quantity: 'temperature', factor: of('1'), zero: of('0') },

  metre_per_second: { quantity: 'speed', factor: of('1') },
  kilometre_per_hour: { quantity: 'speed', factor: fraction(5, 18) },
  mile_per_hour: { quantity: 'speed', factor: of('0.44704') },
  knot: { quantity: 'speed', factor: fraction(1852, 3600) },

  second: { quantity: 'time', factor: of('1') },
  minute: { quantity: 'time', factor: of('60') },
  hour: { quantity: 'time', factor: of('3600') },
  day: { quantity: 'time', factor: of('86400') },
  week: { quantity: 'time', factor: of('604800') },

  square_metre: { quantity: 'area', factor: of('1') },
  square_kilometre: { quantity: 'area', factor: of('1000000') },
  square_foot: { quantity: 'area', factor: of('0.09290304') },
  square_mile: { quantity: 'area', factor: of('2589988.110336') },
  acre: { quantity: 'area', factor: of('4046.8564224') },
  hectare: { quantity: 'area', factor: of('10000') },
} as const satisfies Record<string, Unit>;

export type UnitName = keyof typeof units;

export const unitNames = Object.keys(units).filter(isUnit);

function isUnit(name: string): name is UnitName {
  return Object.hasOwn(units, name);
}
