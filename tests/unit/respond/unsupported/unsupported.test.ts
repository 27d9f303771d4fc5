import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import {
  createUnsupported,
  createUnsupportedResponder,
} from '../../../../api/src/respond/unsupported/unsupported.ts';
import { effectivePipeline } from '../../../../api/src/settings/pipeline.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const unsupported = createUnsupported({ language, names: () => ['Moonbeam'] });
const { values: settings } = effectivePipeline({}, {});

const sentencesOf = (file: string) =>
  z
    .record(z.string(), z.array(z.string()))
    .parse(load(readFileSync(new URL(`../../../sentences/${file}`, import.meta.url), 'utf8')));
const general = Object.values(sentencesOf('general.yaml')).flat();
const ours = sentencesOf('unsupported.yaml');

const asked = (text: string, { isSure = true, isAfterOurs = false } = {}) => ({
  turn: {
    id: 'one',
    source: 'ask' as const,
    text,
    isSure,
    conversation: null,
    room: null,
    createdAt: 0,
    deadlineAt: 0,
    replyTo: 'api',
    streams: false,
    speaks: false,
    isTentative: false,
    revision: 0,
  },
  message: text,
  settings,
  exchanges: isAfterOurs
    ? [{ user: 'Set the heating to 70.', assistant: 'Temperature set to 70.', isOurs: true }]
    : [],
  say: () => undefined,
  signal: new AbortController().signal,
  untilConfirmed: async () => undefined,
  beginActing: async () => undefined,
});

const answer = async (
  text: string,
  { mayAct = false, ...how }: { mayAct?: boolean; isSure?: boolean; isAfterOurs?: boolean } = {},
) => (await createUnsupportedResponder(unsupported, () => mayAct).respond(asked(text, how)))?.text ?? null;

describe('a question that a language model may answer', () => {
  test.each(general)('stays with the model: %s', (text) => {
    expect(unsupported.replyTo(asked(text))).toBeNull();
  });

  test('is distinguished for the claim filter', () => {
    const kindOf = (text: string) => unsupported.kindOf(asked(text)).kind;

    expect(['Who wrote Hamlet?', 'Write me a poem.', 'I am sad.', 'Rename my list.'].map(kindOf)).toEqual([
      'question',
      'words',
      'talk',
      'command',
    ]);
  });
});

describe('a command that no rule knows', () => {
  test.each(ours['commands'] ?? [])('gets a fixed answer: %s', async (text) => {
    expect(await answer(text)).toMatch(/^I cannot/);
  });

  test.each([
    ['Rename the shopping list to groceries', /lists by voice/],
    ['Swap my timers', /timers, alarms or reminders/],
    ['Alarm for 7 to 8', /^I did not understand the time, so/],
    ['Alarm for 8:30 am tomorrow, one time', /^I did not understand the time, so/],
    ['Set an alarm for quarter to', /^I did not understand the time, so/],
    ['Wake me at 7 past the second star', /^I did not understand the time, so/],
    ['Set a timer for 5 shakes of a lamb', /^I did not understand the time, so/],
    ['Set an alarm for 17:30 pm', /^I did not understand the time, so/],
    ['Wake me between 7 and 8', /^I did not understand the time, so/],
    ['Set an alarm with flashing colors', /timers, alarms or reminders/],
    ['Calibrate the thermostat', /in your home/],
    ['Call my mother', /^I cannot do that, and I have not done anything/],
    ['Book me a hotel in Rome', /^I cannot do that, and/],
    ['Take a photo', /^I cannot do that, and/],
    ['Make the volume purple', /with the sound/],
    ['Change your name to Bob', /about myself/],
    ['Reboot Moonbeam', /in your home/],
  ])('gets a hint about possible commands: %s', async (text, told) => {
    expect(await answer(text)).toMatch(told);
  });

  test('is left to a model with tools', async () => {
    expect(await answer('Rename the shopping list', { mayAct: true })).toBeNull();
  });

  test('is asked back if its words are uncertain', async () => {
    expect(await answer('Rename the shopping list', { isSure: false })).toBeNull();
  });

  test('is stored as an answer by Hearth itself', async () => {
    const responder = createUnsupportedResponder(unsupported, () => false);

    expect(await responder.respond(asked('Rename the shopping list'))).toMatchObject({
      isOurs: true,
      kept: { isAside: true },
    });
  });

  test.each(ours['referring back'] ?? [])('may refer to an earlier topic: %s', async (text) => {
    expect([await answer(text), await answer(text, { isAfterOurs: true })]).toEqual([
      null,
      expect.stringMatching(/not changed anything|have not done anything/),
    ]);
  });
});

describe('a negated command', () => {
  test.each(ours['not to be done'] ?? [])(
    'is not an action, even if the model has tools: %s',
    async (text) => {
      expect(await answer(text, { mayAct: true })).toBe(
        'I have not done anything, and I will not. To undo something, say undo.',
      );
    },
  );
});

describe('other languages', () => {
  const all = z
    .record(z.string(), z.record(z.string(), z.array(z.string())))
    .parse(
      load(readFileSync(new URL('../../../sentences/unsupported-languages.yaml', import.meta.url), 'utf8')),
    );

  test.each(Object.entries(all))('%s: know a command by its topic, and leave the rest', (tag, byTopic) => {
    const folder = new URL(`../../../../api/languages/${tag}/`, import.meta.url);
    const { kindOf } = createUnsupported({ language: loadLanguage({ folder }) });
    const topicOf = (text: string) => {
      const found = kindOf(asked(text));
      return found.kind === 'command' ? found.topic : 'others';
    };
    const found = Object.entries(byTopic).flatMap(([topic, texts]) =>
      texts.map((text) => ({ text, is: topicOf(text), topic })),
    );
    expect(found.filter(({ is, topic }) => is !== topic)).toEqual([]);
  });
});
