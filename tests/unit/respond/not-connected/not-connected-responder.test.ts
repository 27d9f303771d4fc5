import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Exchange } from '../../../../api/src/conversations/exchange.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { loadSkill } from '../../../../api/src/respond/core/skill-language.ts';
import { createNotConnectedResponder } from '../../../../api/src/respond/not-connected/not-connected-responder.ts';
import {
  type NotConnected,
  notConnected,
  notConnectedShape,
} from '../../../../api/src/respond/not-connected/not-connected-shape.ts';
import { household, question, remarks } from '../../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { reply } = loadSkill(language.files, 'not-connected', notConnectedShape);

const nothing = createNotConnectedResponder({ language, hasHome: false, mayBeServed: () => false });
const withHome = createNotConnectedResponder({ language, hasHome: true, mayBeServed: () => false });

const groups = z.record(z.string(), z.array(z.string()));
const read = (file: string) =>
  groups.parse(load(readFileSync(new URL(`../../../sentences/${file}`, import.meta.url), 'utf8')));

const wanted = Object.entries(read('not-connected.yaml')).flatMap(([kind, lines]) =>
  lines.map((text) => ({ kind, text })),
);
const anybodyKnows = Object.values(read('not-connected-remarks.yaml')).flat();

const answer = async (responder: typeof nothing, text: string, exchanges: readonly Exchange[] = []) =>
  (await responder.respond(question(text, {}, exchanges)))?.text ?? null;
const refusal = (kind: string) => {
  const known = notConnected.find((each) => each === kind);
  if (!known) throw new Error(`nothing is said of ${kind}`);
  return reply(known);
};

describe('a request that needs a missing connection', () => {
  test('is answered that nothing is connected', async () => {
    const other: string[] = [];
    for (const { kind, text } of wanted) {
      const said = await answer(nothing, text);
      if (said !== refusal(kind)) other.push(`${kind}: ${text} => ${said}`);
    }

    expect(wanted.length).toBeGreaterThanOrEqual(300);
    expect(other).toEqual([]);
  });

  test('is left to the model if that may have a tool for it', async () => {
    const served = createNotConnectedResponder({
      language,
      hasHome: false,
      mayBeServed: (settings) => settings.mcp_servers.length > 0,
    });
    const weather = question("What's the weather tomorrow?");
    const mcp_servers = [{ name: 'weather', url: 'http://localhost/mcp' }];

    expect(await served.respond({ ...weather, settings: { ...weather.settings, mcp_servers } })).toBeNull();
    expect((await served.respond(weather))?.text).toBe(refusal('weather'));
  });

  test('does not include common knowledge', async () => {
    const taken: string[] = [];
    for (const text of anybodyKnows) if ((await answer(nothing, text)) !== null) taken.push(text);

    expect(anybodyKnows.length).toBeGreaterThanOrEqual(350);
    expect(taken).toEqual([]);
  });

  test('gets an answer that is short enough to hear', () => {
    const long = notConnected.map(refusal).filter((text) => text.split(' ').length > 16);

    expect(long).toEqual([]);
  });
});

describe('with a Home Assistant', () => {
  const ofHouse = wanted.filter(({ kind }) => kind.startsWith('house'));

  test('no part of the house is called unconnected', async () => {
    const said = new Set<string | null>();
    for (const { text } of ofHouse) said.add(await answer(withHome, text));

    expect(said).toEqual(new Set([null, 'I cannot find that out in your home.']));
  });

  test('a model that may look into the house gets the question', async () => {
    const looking = createNotConnectedResponder({
      ...{ language, hasHome: true, mayBeServed: () => false, mayLook: () => true },
    });
    const said = new Set<string | null>();
    for (const { text } of ofHouse) said.add(await answer(looking, text));

    expect(said).toEqual(new Set([null]));
  });

  test('players may exist', async () => {
    expect(await answer(withHome, 'Play some jazz.')).toBe('I do not know how to play that in your home.');
    expect(await answer(withHome, 'What is playing?')).toBe('I do not know what is playing in your home.');
  });
});

describe('a follow-up to a refusal', () => {
  const refused = (missing: NotConnected): Exchange[] => [
    { user: 'What is it like?', assistant: refusal(missing), turn: 'before', missing },
  ];

  test.each(['And tomorrow?', 'What about Sunday?', 'And in Berlin?', 'How about this weekend?'])(
    'is refused like it: %s',
    async (text) => {
      expect(await answer(nothing, text, refused('weather'))).toBe(refusal('weather'));
      expect(await answer(nothing, text)).toBeNull();
    },
  );

  test('is distinguished from equal words of another answer by its mark in the conversation', async () => {
    const marked = await nothing.respond(question("What's the weather tomorrow?"));
    const unmarked = { user: 'What is it like?', assistant: refusal('weather') };

    expect(marked?.kept).toEqual({ assistant: refusal('weather'), isAside: true, missing: 'weather' });
    expect(await answer(nothing, 'And tomorrow?', [unmarked])).toBeNull();
  });

  test('refers to a house that is not connected', async () => {
    expect(await answer(nothing, 'And the bedroom?', refused('house'))).toBe(refusal('house'));
    expect(await answer(nothing, 'Turn it off.')).toBeNull();
  });
});

test('the responder takes sentences that skills understand or pass on only if they plainly need a connection', async () => {
  const plainly =
    /(?:time|late)\b.* in\b|time ?zone|weather|sun sets|rain|wear|lights?|oven|door|car|dishwasher|washing|kettle|heating|radio|tv|television|bus|train|dentist|appointment|meeting|music|play|news|louder|pound|cinema|match|remind|mute|back the way|order|call every|call my|until (?:my|our)/i;
  const taken: string[] = [];
  for (const text of [...remarks, ...household.map((each) => each.text)])
    if (!plainly.test(text) && (await answer(nothing, text)) !== null) taken.push(text);

  expect(taken).toEqual([]);
}, 120_000);
