import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type SourceText, sourceTexts } from '../support/source-texts.ts';

/*
 * All words of a language that people say, hear or read are in api/languages/, and its rules in
 * api/src/language/en/. No text elsewhere may contain a word of it. Exceptions are names that look like one
 * ("timer.set") and messages for developers, which are English by contract.
 */

const root = resolve(import.meta.dirname, '../..');
const source = join(root, 'api/src');
const language = join(root, 'api/languages/en');

/**
 * Files whose texts are for developers only, or belong to other programs. The test still checks their
 * patterns.
 */
const forDevelopers: Readonly<Record<string, string>> = {
  'announcer.ts': 'why it does not start',
  'audio/': 'what is wrong with a recording, and options of ffmpeg',
  'check/': 'what the check has found',
  'cli/': 'what is printed in a terminal',
  'config.ts': 'what is wrong with a setting of the machine',
  'engines/': 'what is wrong with an engine',
  'errors.ts': 'the messages of all errors',
  'esphome/': 'what is wrong with a voice device',
  'http/': 'what is wrong with a request',
  'log.ts': 'what the runtime says of bad JSON',
  'metrics/': 'what each number is',
  'redis/': 'what each key holds, for the docs',
  'restart/': 'how a restart went',
  'server.ts': 'why it does not start',
  'settings/': 'what is wrong with a setting',
  'timers/repetition.ts': 'the rules of RFC 5545',
  'timers/timer-edit.ts': 'the rules of RFC 5545',
  'tls/': 'what a certificate is called, and what is wrong with one',
  'wake/': 'why a model is refused',
  'wiring/nearby.ts': 'what the services are called',
  'wiring/home-network.ts': 'why the network cannot be opened',
  'worker.ts': 'why it does not start',
  'wyoming/': 'what is wrong with a message, and what the services are called',
  'engines/home-trial.ts': 'what is wrong with an address or a token, on the page',
  'backup/sealing.ts': 'the mark of an encrypted backup',
  'backup/carried-backup.ts': 'why a file cannot be put back, on the page',
  'stages/worker-call-job.ts': 'what the check finds of the house',
  'language/community/community.ts': 'what is wrong with the data of the community',
  'language/community/jinja.ts': 'the names of filters and methods in templates',
  'listen/events/client-events.ts': 'what is wrong with an event',
  'listen/events/event-fault.ts': 'what is wrong with an event',
  'listen/sound-check.ts': 'what is wrong with sound, made into errors by a function of its own',
  'realtime/client-events.ts': 'what is wrong with an event',
  'realtime/voice-names.ts': "OpenAI's names for voices",
  'respond/skills/timers/repeat-telling.ts': 'the weekdays of RFC 5545',
  'respond/skills/timers/repeat-words.ts': 'the rules of RFC 5545',
  'respond/model/mcp-tools.ts': 'how a call went, for the model',
  'respond/model/plain-schema.ts': 'what is wrong with a call, for the model',
  'respond/model/tool.ts': 'what is wrong with a call, for the model',
  'respond/model/tool-turn.ts': 'how a call went, for the model',
};

/** Patterns for the output of other programs, or for our own English. */
const patternsOfOthers: Readonly<Record<string, string>> = {
  'audio/raw-pcm.ts': 'the byte orders in media types',
  'check/run-steps.ts': 'the titles of steps',
  'engines/transcript-marks.ts': 'how recognisers mark what is not speech',
  'esphome/found-device.ts': 'the names and projects of voice devices',
  'http/chat-message.ts': 'how Open WebUI begins a question with documents',
  'http/form-parts.ts': 'the headers of a form, RFC 7578',
  'log.ts': 'what the runtime says of bad JSON',
  'realtime/response-params.ts': 'how pipecat hands over an earlier conversation',
  'redis/redis.ts': 'what Redis answers',
  'settings/pipeline.ts': 'the value of a setting',
  'tls/household-certificate.ts': 'how PEM marks its parts',
};

/** Its types and its comments come from openapi.yaml. */
const generated = 'http/contract-types.ts';

const wordPattern = /\p{L}+(?:['’]\p{L}+)*/gu;
const wordsIn = (text: string): string[] => text.toLowerCase().replaceAll('’', "'").match(wordPattern) ?? [];

type Json = z.infer<ReturnType<typeof z.json>>;

/** All texts in data, including the names of its fields if those are words too. */
function textsIn(data: Json, withNames = false): string[] {
  if (typeof data === 'string') return [data];
  if (typeof data !== 'object' || data === null) return [];
  if (Array.isArray(data)) return data.flatMap((each) => textsIn(each, withNames));
  return Object.entries(data).flatMap(([name, value]) => [
    ...(withNames ? [name] : []),
    ...textsIn(value, withNames),
  ]);
}

const read = (file: string): Json => z.json().parse(load(readFileSync(join(language, file), 'utf8')));
const part = (file: string, ...path: string[]): Json =>
  path.reduce((data, name) => z.record(z.string(), z.json()).parse(data)[name] ?? null, read(file));
const filesIn = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' });

/** After words: "-ing", "-s", "-th". */
const endings = [
  ...textsIn(part('numbers.yaml', 'ordinal_endings')),
  ...Object.keys(z.record(z.string(), z.json()).parse(part('tools.yaml', 'grounds', 'endings'))),
  ...textsIn(part('skills/timers.yaml', 'words', 'endings')),
].flatMap(wordsIn);

/** The words that make up sentences, numbers and times. */
const littleWords = new Set([
  ...endings,
  ...[
    ...textsIn(part('grammar.yaml', 'hanging')),
    ...textsIn(part('tools.yaml', 'grounds', 'little')),
    ...textsIn(part('tools.yaml', 'grounds', 'nots')),
    ...textsIn(read('numbers.yaml'), true),
    ...['am', 'pm', 'midnight', 'noon', 'months', 'weekdays'].flatMap((name) =>
      textsIn(part('skills/clock.yaml', 'words', name)),
    ),
    ...['durations', 'times', 'moments', 'said'].flatMap((name) =>
      textsIn(part('skills/timers.yaml', 'words', name)),
    ),
    "o'clock",
  ]
    .flatMap(wordsIn)
    .filter((word) => word.length > 1),
]);

/** Every word in the files of the language. */
const allWords = new Set([
  ...littleWords,
  // "a" and "I" too, which can mean anything in a pattern.
  ...textsIn(part('grammar.yaml', 'hanging')),
  ...filesIn(language)
    .filter((file) => file.endsWith('.yaml'))
    .flatMap((file) => textsIn(read(file)))
    .flatMap((text) => wordsIn(text.replaceAll(/[<{]\w+(?::\w+)?[>}]/g, ' ')))
    .filter((word) => word.length > 1),
]);

/** Names of months and days, which name nothing else. */
const neverNames = new Set(
  ['months', 'weekdays'].flatMap((name) =>
    textsIn(part('skills/clock.yaml', 'words', name)).flatMap(wordsIn),
  ),
);

const nameShape = /^[\w.:/*=;{}[\]+-]*$/;
/** A part of a name comes before a variable part, or holds a character that is typical of names. */
const namePartShape = /^(?:[\w.:/-]*[_.:/][\w.:/-]*|[\w-]+-|[\w./-]+\.yaml: )$/;
/** Classes, escapes, ranges and groups of patterns. */
const patternSigns = /\\[pPk]\{?<?[\w=]+[}>]?|\\u(?:\{\w+\}|\w{4})|\\x\w\w|\(\?<\w+>|\\\w|\w-\w/g;

/** The words of the language in a text that must not contain any. */
function wordsOf({ text, kind, isMessage }: SourceText): string[] {
  if (kind === 'script') return [];
  if (kind === 'pattern')
    return wordsIn(text.replaceAll(patternSigns, ' ')).filter((word) => littleWords.has(word));
  if (isMessage) return [];
  if (kind === 'string' && nameShape.test(text)) return wordsIn(text).filter((word) => neverNames.has(word));
  if (kind === 'text' && namePartShape.test(text)) return [];
  return wordsIn(text.replaceAll(/\{\w+\}/g, ' ').replaceAll(patternSigns, ' ')).filter((word) =>
    allWords.has(word),
  );
}

const reasonFor = ({ file, kind }: SourceText): string | undefined => {
  if (kind === 'pattern') return patternsOfOthers[file];
  const known = Object.keys(forDevelopers).find((each) =>
    each.endsWith('/') ? file.startsWith(each) : file === each,
  );
  return known && forDevelopers[known];
};

const sources = filesIn(source).filter(
  (file) => file.endsWith('.ts') && !/^language\/[a-z]{2}\//.test(file) && file !== generated,
);
const texts = await sourceTexts(
  Object.fromEntries(sources.map((file) => [file, readFileSync(join(source, file), 'utf8')])),
);

describe('the source', () => {
  const found = texts.filter((text) => wordsOf(text).length > 0);

  test('has no words of a language outside language/en/', () => {
    const offending = found.filter((text) => reasonFor(text) === undefined);

    expect(texts.length).toBeGreaterThan(3_000);
    expect(
      offending.map((each) => `api/src/${each.file}:${each.line}: ${wordsOf(each).join(', ')}: ${each.text}`),
    ).toEqual([]);
  });

  test('needs every listed exception', () => {
    const strings = found.filter(({ kind }) => kind !== 'pattern').map(({ file }) => file);
    const patterns = found.filter(({ kind }) => kind === 'pattern').map(({ file }) => file);

    expect(
      Object.keys(forDevelopers).filter((each) => !strings.some((file) => file.startsWith(each))),
    ).toEqual([]);
    expect(Object.keys(patternsOfOthers).filter((each) => !patterns.includes(each))).toEqual([]);
  });
});

describe('a line of a skill', () => {
  const wordsOfLine = async (line: string) => (await sourceTexts({ 'skill.ts': line })).flatMap(wordsOf);

  test.each([
    ["text.replace(/ing$/, '')", ['ing']],
    ["text.replace(/'s$/, '')", ['s']],
    ['/(\\d+)(?:st|nd|rd|th)\\b/.test(text)', ['st', 'nd', 'rd', 'th']],
    [`new RegExp(\`^(the|an) \${noun}$\`)`, ['the', 'an']],
    [`say(\`\${n} minutes\`)`, ['minutes']],
    [`say(\`\${word}s\`)`, ['s']],
    ["say(n + ' minutes')", ['minutes']],
    ["say(hour + 'pm')", ['pm']],
    ["say('o\\'clock')", ["o'clock"]],
    ["names.join(' and ')", ['and']],
    ["word === 'please'", ['please']],
    ["words.includes('tomorrow')", ['tomorrow']],
    ["word.endsWith('ies')", ['ies']],
    ["word !== 'I'", ['i']],
    ["const months = ['January', 'February']", ['january', 'february']],
    ["say('I have set it.')", ['have', 'set', 'it']],
  ])('%s is found', async (line, words) => {
    expect(await wordsOfLine(line)).toEqual(expect.arrayContaining(words));
  });

  test.each([
    ["reply('set', { name }, turn)"],
    ["ask.words('at')"],
    ["kind === 'timer'"],
    ["begin(ask, 'timer.set')"],
    [`load(\`skills/\${name}.yaml\`)`],
    [`reply(\`remind_\${manner}\`)`],
    ["text.replace('{room}', room)"],
    ['/^\\p{L}+(?:\\s|$)/u.test(text)'],
    ["throw new Error('There is no such timer.')"],
    [`new AppError(\`There is no timer of \${n} minutes.\`)`],
    ["log.warn({ err }, 'the timer is late')"],
    ["z.string().describe('What it is for.')"],
    ['redis.eval(\'if redis.call("GET", KEYS[1]) then return 1 end\')'],
  ])('%s is not found', async (line) => {
    expect(await wordsOfLine(line)).toEqual([]);
  });
});
