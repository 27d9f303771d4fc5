import { describe, expect, test } from 'vitest';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { languageReaders } from '../../support/language-readers.ts';

const french = languageReaders('fr');

describe('a number', () => {
  test.each([
    ['zéro', '0'],
    ['sept', '7'],
    ['dix-sept', '17'],
    ['vingt et un', '21'],
    ['vingt-et-un', '21'],
    ['trente-sept', '37'],
    ['soixante et onze', '71'],
    ['soixante-quinze', '75'],
    ['quatre-vingts', '80'],
    ['quatre-vingt-un', '81'],
    ['quatre-vingt-dix', '90'],
    ['quatre-vingt-dix-sept', '97'],
    ['septante-deux', '72'],
    ['nonante-neuf', '99'],
    ['cent', '100'],
    ['cent un', '101'],
    ['deux cents', '200'],
    ['trois cent quatre-vingt-dix-neuf', '399'],
    ['mille', '1000'],
    ['mille neuf cent quatre-vingt-quatre', '1984'],
    ['deux mille vingt-six', '2026'],
    ['quatre-vingt mille', '80000'],
    ['deux millions trois cent mille', '2300000'],
    ['deux et demi', '2.5'],
    ['deux virgule cinq', '2.5'],
    ['trois virgule soixante-quinze', '3.75'],
    ['2,5', '2.5'],
    ['1 500', '1500'],
    ['1 234 567', '1234567'],
    ['trois quarts', '0.75'],
    ['moins sept', '-7'],
    ['une douzaine', '12'],
  ])('is read from "%s"', (text, value) => {
    expect(french.number(text)).toBe(value);
  });

  test.each(['un vingt', 'vingt et deux', 'maison', 'vingt '.repeat(500)])('is not "%.30s"', (text) => {
    expect(french.number(text)).toBeNull();
  });

  test.each([
    ['premier', 1],
    ['première', 1],
    ['1er', 1],
    ['deuxième', 2],
    ['cinquième', 5],
    ['neuvième', 9],
    ['onzième', 11],
    ['vingt et unième', 21],
    ['trentième', 30],
    ['quatre-vingt-deuxième', 82],
  ])('%s is an ordinal', (text, value) => {
    expect(french.ordinal(text)).toBe(value);
  });
});

test.each([
  ['7 heures', '7:00'],
  ['7 h', '7:00'],
  ['sept heures trente', '7:30'],
  ['7h30', '7:30'],
  ['15 h 30', '15:30 pm'],
  ['19 heures 5', '19:05 pm'],
  ['0 h 30', '0:30 am'],
  ['sept heures et demie', '7:30'],
  ['sept heures et quart', '7:15'],
  ['huit heures moins le quart', '7:45'],
  ['huit heures moins vingt-cinq', '7:35'],
  ['une heure moins dix', '12:50'],
  ['sept heures du matin', '7:00 am'],
  ['huit heures et quart du soir', '8:15 pm'],
  ["trois heures de l'après-midi", '3:00 pm'],
  ['midi', '12:00 pm'],
  ['midi et demi', '12:30 pm'],
  ['midi moins le quart', '11:45 am'],
  ['minuit', '24:00 pm'],
  ['minuit et quart', '0:15 am'],
  ['minuit moins cinq', '23:55 pm'],
])('reads the time "%s"', (text, time) => {
  expect(french.time(text)).toBe(time);
});

test.each([
  ['cinq minutes', 5],
  ['une heure', 60],
  ['une demi-heure', 30],
  ["un quart d'heure", 15],
  ["trois quarts d'heure", 45],
  ['une heure et demie', 90],
  ['deux heures et demie', 150],
  ['une heure trente', 90],
  ['2h30', 150],
  ['1 heure et 5 minutes', 65],
  ['quatre-vingt-dix minutes', 90],
  ['deux jours', 2_880],
])('reads the length of "%s"', (text, minutes) => {
  expect(french.minutes(text)).toBe(minutes);
});

test('an apostrophe ends a word, in both its forms', () => {
  expect(french.readWords("l'eau d’aujourd'hui").map(({ word }) => word)).toEqual([
    "l'",
    'eau',
    "d'",
    "aujourd'",
    'hui',
  ]);
});

test('the plural begins at two', () => {
  const { rules } = loadLanguage({ folder: new URL('../../../api/languages/fr/', import.meta.url) });
  const forms = [0, 1, 2, '1,5', '2,0', '1\u202f000'].map((count) => rules.formOf(count));

  expect(forms).toEqual(['one', 'one', 'other', 'one', 'other', 'other']);
});
