import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTranslations, translationsFor } from '../../api/src/cli/gettext.ts';
import { placesIn, readMessages } from '../support/terminal-messages.ts';

const root = resolve(import.meta.dirname, '../..');
const languages = ['de', 'es', 'fr', 'it', 'nl'];

const found = readMessages([
  'Makefile',
  // Without the commands for developers, and what decides nothing but settings or formats.
  'scripts/{help,up,run,down,status,phone,token,satellite,logs,models,backup*,restore,update,service,check-up}',
  'scripts/{routines,join,household-ca,settings,compose,compose-settings,setup,messages}',
  'scripts/{language,language-report}.ts',
  'satellite/install',
  'satellite/*.ts',
  // crashes.py gives its reasons to the api, too.
  'services/run/{change_models,ending,fetch_models,one_run,own_redis,ports,programs,settings,start,stop,watch}.py',
  // The others are for who writes models.json, or say what a server answered.
  'services/models/{fetch,fetching/{bring,lock,own,progress,run,store,wish,errors}}.py',
  'api/src/cli/*.ts',
]);

/** Words that no translation needs, with the reason. */
const untranslated = [
  /^scripts\/language-report\.ts:\d+: never mind$/, // the name of an ability
  /^scripts\/settings: local mark=/, // a mark in .env
  /^api\/src\/cli\/backup\.ts:\d+: Use save, check, load, seal, unseal or note\.$/, // a mistake of a script
  /^api\/src\/cli\/phone\.ts:\d+: \\n {2}make join CODE=$/, // a command
  /^satellite\/options\.ts:\d+: A microphone and a loudspeaker for Hearth\./, // --help, as in satellite/README.md
];

/** The widest text that fits into a place, in columns. */
const maxWidths: Readonly<Record<string, number>> = { works: 7, look: 7, FAILS: 7 };
const maxHelpColumns = 100;
const helpIndent = '  make satellite '.length;

/** Each text of a .po file, as it is written there. */
const entriesOf = (language: string) =>
  readFileSync(join(root, `scripts/language/${language}.po`), 'utf8')
    .split('\n\n')
    .slice(1);

test('prints messages with literal texts and the values they need', () => {
  expect(found.texts.size).toBeGreaterThan(250);
  expect(found.wrong).toEqual([]);
});

test('prints no words without a translation', () => {
  expect(found.bare.filter((each) => !untranslated.some((known) => known.test(each)))).toEqual([]);
  expect(untranslated.filter((known) => !found.bare.some((each) => known.test(each)))).toEqual([]);
});

test('has no text with signs that printf reads', () => {
  expect([...found.texts].filter(([text]) => text.includes('\\'))).toEqual([]);
  expect([...found.texts].filter(([text]) => placesIn(text).some((each) => !/%[s%]/.test(each)))).toEqual([]);
});

describe.each(languages)('the terminal in %s', (language) => {
  const texts = readTranslations(readFileSync(join(root, `scripts/language/${language}.po`), 'utf8'));

  test('has each text once, and no other', () => {
    expect([...found.texts].filter(([text]) => !texts.has(text))).toEqual([]);
    expect([...texts.keys()].filter((text) => !found.texts.has(text))).toEqual([]);
    expect(entriesOf(language).length).toBe(texts.size);
  });

  test('names the values of the English text, in its order', () => {
    expect([...texts].filter(([text, own]) => placesIn(text).join() !== placesIn(own).join())).toEqual([]);
    expect([...texts.values()].filter((own) => own.includes('\\'))).toEqual([]);
  });

  test('fits into its places', () => {
    const isTooWide = ([text, own]: [string, string]) =>
      own.length > (maxWidths[text] ?? Number.POSITIVE_INFINITY) ||
      (found.texts.get(text) === 'Makefile' && own.length > maxHelpColumns - helpIndent);

    expect([...texts].filter(isTooWide)).toEqual([]);
  });
});

describe('the shell', () => {
  const inShell = (command: string, env: Record<string, string> = {}, input = '') =>
    execFileSync('bash', ['--norc', '-c', `set -euo pipefail; . scripts/messages; ${command}`], {
      cwd: root,
      env: { PATH: process.env['PATH'], ...env },
      input,
      encoding: 'utf8',
    });

  test('reads the same texts as the programs', () => {
    const texts = readTranslations(readFileSync(join(root, 'scripts/language/fr.po'), 'utf8'));
    // Each takes a program, so every tenth must do.
    const some = [...texts].filter((_, index) => index % 10 === 0);

    const printed = inShell(
      'while IFS= read -r -d "" text; do translated "$text"; done',
      { LANG: 'fr_FR.UTF-8' },
      some.map(([text]) => `${text}\0`).join(''),
    );

    expect(printed.trimEnd().split('\n')).toEqual(some.map(([, own]) => own));
  });

  test('puts the values into their places', () => {
    const env = { LANG: 'de_DE.UTF-8' };

    expect(inShell("gettext '%s, line %s: expected NAME=value.' .env '5%'", env)).toBe(
      '.env, Zeile 5%: erwartet wird NAME=Wert.\n',
    );
    expect(inShell("gettext '%s %% of what nobody wrote' 5", env)).toBe('5 % of what nobody wrote\n');
  });

  test('prints English if its file disappears', () => {
    expect(inShell("messages_folder=gone; gettext 'Hearth has stopped.'", { LANG: 'de_DE.UTF-8' })).toBe(
      'Hearth has stopped.\n',
    );
  });

  test('chooses the language as the programs do', () => {
    const cases: [env: Record<string, string>, language: string][] = [
      [{}, ''],
      [{ LANG: 'C' }, ''],
      [{ LANG: 'C.UTF-8', LANGUAGE: 'de' }, ''],
      [{ LANG: 'POSIX' }, ''],
      [{ LANG: 'de_DE.UTF-8' }, 'de'],
      [{ LANG: 'fr_CA@euro' }, 'fr'],
      [{ LANG: 'it' }, 'it'],
      [{ LANG: 'en_GB.UTF-8' }, ''],
      [{ LANG: 'xx_YY.UTF-8' }, ''],
      [{ LANG: '../language/de' }, ''],
      [{ LANG: 'de_DE.UTF-8', LC_MESSAGES: 'es_ES.UTF-8' }, 'es'],
      [{ LANG: 'de_DE.UTF-8', LC_MESSAGES: 'es_ES.UTF-8', LC_ALL: 'nl_NL.UTF-8' }, 'nl'],
      [{ LANG: 'de_DE.UTF-8', LC_ALL: 'C' }, ''],
      [{ LANG: 'de_DE.UTF-8', LANGUAGE: 'pl:fr:es' }, 'fr'],
      [{ LANG: 'de_DE.UTF-8', LANGUAGE: 'en_US:de' }, ''],
      [{ LANG: 'de_DE.UTF-8', LANGUAGE: 'pl' }, ''],
      [{ LANG: 'de_DE.UTF-8', LANGUAGE: '' }, 'de'],
    ];
    const commands = cases.map(([env]) => {
      const settings = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
      return `(unset LANGUAGE LC_ALL LC_MESSAGES LANG; ${settings.join(' ') || 'true'}; terminal_language; echo)`;
    });
    const named: Readonly<Record<string, string>> = {
      de: 'Für den Haushalt',
      es: 'Para el hogar',
      fr: 'Pour le foyer',
      it: 'Per la casa',
      nl: 'Voor het huishouden',
    };

    expect(inShell(`{ ${commands.join('; ')}; } 2>/dev/null`)).toBe(
      cases.map(([, language]) => `${language}\n`).join(''),
    );
    expect(cases.map(([env]) => translationsFor(env).get('For the household'))).toEqual(
      cases.map(([, language]) => named[language]),
    );
  });
});

test('make help is in the language of the terminal, in straight columns', () => {
  const helpIn = (LANG: string) =>
    execFileSync('make', ['help'], { cwd: root, env: { PATH: process.env['PATH'], LANG }, encoding: 'utf8' });

  expect(helpIn('it_IT.UTF-8')).toContain('\n  make down      ferma Hearth,');
  expect(helpIn('C')).toContain('\n  make down      stop Hearth, in containers or not; keeps all its data\n');
});
