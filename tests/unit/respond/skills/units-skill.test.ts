import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { fraction, readDigits } from '../../../../api/src/language/numbers/fraction.ts';
import { convert } from '../../../../api/src/language/units/convert.ts';
import { unitNames, units } from '../../../../api/src/language/units/units.ts';
import { answered, englishSkills } from '../../../support/skills.ts';

const { responder } = englishSkills(new Redis({ lazyConnect: true }));
const reply = (text: string) => answered(responder, text);

describe('a conversion', () => {
  test.each([
    ['how many inches is 1 metre', '1 metre is about 39.4 inches.'],
    ['3 yards in feet', '3 yards is 9 feet.'],
    ['a marathon in miles', null],
    ['how many miles are in a millimetre', '1 millimetre is about 6.21 times 10 to the power of -7 miles.'],
    ['42.195 km in miles', '42.195 kilometres is about 26.2 miles.'],
    ['5kg in pounds', '5 kilograms is about 11 pounds.'],
    ['one stone in pounds', '1 stone is 14 pounds.'],
    ['12 stone 4 in kilos', '12 stone 4 pounds is about 78 kilograms.'],
    ['a tablespoon in ml', '1 tablespoon is about 14.8 millilitres.'],
    ["how many ml's are in a tablespoon", '1 tablespoon is about 14.8 millilitres.'],
    ['two cups and a half in millilitres', '2.5 cups is about 591 millilitres.'],
    ['two and a half cups in millilitres', '2.5 cups is about 591 millilitres.'],
    ['a cup and a half in millilitres', '1.5 cups is about 355 millilitres.'],
    ['three quarters of a cup in ml', '0.75 cups is about 177 millilitres.'],
    ['a metric cup in ml', '1 metric cup is 250 millilitres.'],
    ['⅔ cup in ml', '0.6667 cups is about 158 millilitres.'],
    ['5㎞ in miles', '5 kilometres is about 3.11 miles.'],
    ['20 ºC in fahrenheit', '20 degrees Celsius is 68 degrees Fahrenheit.'],
    ['.5 cups in ml', '0.5 cups is about 118 millilitres.'],
    ['a pint in litres', '1 US pint is about 0.473 litres.'],
    ['an imperial pint in litres', '1 imperial pint is about 0.568 litres.'],
    ['37 celsius in fahrenheit', '37 degrees Celsius is 98.6 degrees Fahrenheit.'],
    ['98.6 F in C', '98.6 degrees Fahrenheit is 37 degrees Celsius.'],
    ['180 degrees in fahrenheit', '180 degrees Celsius is 356 degrees Fahrenheit.'],
    ['350 degrees to celsius', '350 degrees Fahrenheit is about 177 degrees Celsius.'],
    ['one metre eighty in centimetres', '1 metre 80 centimetres is 180 centimetres.'],
    ['0 kelvin in celsius', '0 kelvin is -273.15 degrees Celsius.'],
    ['3 inches in feet and inches', '3 inches is 3 inches.'],
    ['-300 celsius in fahrenheit', 'There is nothing below absolute zero.'],
    ['30 knots in km/h', '30 knots is 55.56 kilometres per hour.'],
    ['ninety minutes in hours', '90 minutes is 1.5 hours.'],
    ['how many weeks is 100 days', '100 days is about 14.3 weeks.'],
    ['an acre in square metres', '1 acre is about 4,047 square metres.'],
    ['a million millimetres in kilometres', '1,000,000 millimetres is 1 kilometre.'],
    ['an inch in kilometres', '1 inch is about 0.0000254 kilometres.'],
    ["what's 10 inches in centimeters and millimeters", '10 inches is 25.4 centimetres, or 254 millimetres.'],
    ['how much is 10kg in pounds and ounces', '10 kilograms is about 22 pounds and 0.7 ounces.'],
    ['68 inches in feet and inches', '68 inches is 5 feet and 8 inches.'],
    ['24 inches in feet and inches', '24 inches is 2 feet.'],
    ['5.9999 feet in feet and inches', '5.9999 feet is about 6 feet.'],
    ['how many tablespoons and teaspoons is one cup', '1 cup is 16 tablespoons, or 48 teaspoons.'],
    ['3 inches in feet and inches', '3 inches is 3 inches.'],
    ['-300 celsius in fahrenheit and kelvin', 'There is nothing below absolute zero.'],
    ['10 inches in pounds and ounces', null],
    ['how do you convert millimeters to decimeters', '1 millimetre is 0.01 decimetres.'],
    ['how many grams in a cup', null],
    ['how many metres in a metre', null],
    ['how many bananas in a kilo', null],
    ['5 in miles', null],
    ['90 degrees in miles', null],
    ['90 degrees in kelvin', null],
  ])('is done or passed on for %j', async (text, expected) => {
    expect(await reply(text)).toBe(expected);
  });

  test('and its inverse return the same number, for every unit', () => {
    const value = readDigits('123.456') ?? fraction(0);
    for (const unit of unitNames) {
      for (const to of unitNames.filter((each) => units[each].quantity === units[unit].quantity)) {
        const there = convert({ value, unit }, to);
        const back = typeof there === 'string' ? there : convert({ value: there, unit: to }, unit);

        expect(back).toEqual(value);
      }
    }
  });
});

describe('a part or a multiple of a measure', () => {
  test.each([
    ['half of 3/4 cup', 'Half of 3/4 cup is 3/8 cup, or 6 tablespoons.'],
    ['double one and a half cups', 'Double 1 1/2 cups is 3 cups.'],
    ["what's a third of 2 cups", 'A third of 2 cups is 2/3 cup.'],
    ['double three quarters of a cup', 'Double 3/4 cup is 1 1/2 cups, or 24 tablespoons.'],
    ['triple 2/3 cup', 'Triple 2/3 cup is 2 cups.'],
    ['half of a tablespoon', 'Half of 1 tablespoon is 1/2 tablespoon.'],
    ['what is twice 250 grams', 'Twice 250 grams is 500 grams.'],
    ['half of 45 minutes', 'Half of 45 minutes is 22.5 minutes.'],
    ['half of 350 degrees fahrenheit', null],
  ])('%s', async (text, expected) => {
    expect(await reply(text)).toBe(expected);
  });
});
