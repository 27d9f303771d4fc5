import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { load } from 'js-yaml';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Exchange } from '../../api/src/conversations/exchange.ts';
import { loadExamples } from '../../api/src/language/examples.ts';
import { loadLanguage } from '../../api/src/language/language.ts';
import { pageLanguages, setPageLanguage } from '../../console/src/language/translate.ts';
import { suggestions } from '../../console/src/settings/routines.ts';
import { connectTo, type OwnRedis, startRedis } from '../support/servers/own-redis.ts';
import { leavingListeners, question, skillsOf } from '../support/skills.ts';

/** The file of sentences of each language but English. */
const languages = { de: 'german', es: 'spanish', fr: 'french', it: 'italian', nl: 'dutch' } as const;
const lines = z.array(z.union([z.string(), z.record(z.string(), z.string())]));

let server: OwnRedis;
let redis: Redis;

beforeAll(async () => {
  server = await startRedis();
  redis = await connectTo(server.url);
});
beforeEach(() => redis.flushall());
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

/** A line in its parts, some of which YAML has quoted: the sentence, its intent, the answer. */
function partsOf(line: z.infer<typeof lines>[number]): string[] {
  const text = typeof line === 'string' ? line : Object.entries(line).flat().join(': ');
  return text.split(' => ').map((part) => part.replaceAll(/^"|"$/g, ''));
}

describe.each(Object.entries(languages))('in the language %s', (tag, name) => {
  const file = new URL(`../sentences/${name}.yaml`, import.meta.url);
  const { none, ...conversations } = z.record(z.string(), lines).parse(load(readFileSync(file, 'utf8')));
  let skills: ReturnType<typeof skillsOf>;

  beforeAll(() => {
    skills = skillsOf(tag, redis, [], { announcements: leavingListeners });
  });

  const understood = (text: string, by: 'responder' | 'last' = 'responder'): string | null => {
    const found = skills[by].understood(text);
    return found && `${found.skill}.${found.intent}`;
  };

  test.each(Object.entries(conversations))('the conversation "%s" has these answers', async (_, said) => {
    const exchanges: Exchange[] = [];
    for (const line of said) {
      const [text = '', intent, reply] = partsOf(line);
      const asked = question(text, {}, [...exchanges]);
      // Sentences that name no list come last: "streich das wieder".
      const by = intent?.startsWith('list-follow-ups.') ? 'last' : 'responder';
      if (by === 'last') expect(await skills.responder.respond(asked)).toBeNull();
      const answer = (await skills[by].respond(asked))?.text ?? null;
      if (answer !== null) exchanges.push({ user: text, assistant: answer, turn: asked.turn.id });

      expect({ text, intent: understood(text, by), reply: reply && answer }).toEqual({ text, intent, reply });
    }
  });

  test('no skill takes what is none of its sentences', () => {
    const taken = (none ?? []).flatMap(partsOf).filter((text) => understood(text) !== null);

    expect(taken).toEqual([]);
  });

  test('each example of the page is understood by its skill', () => {
    const language = loadLanguage({ folder: new URL(`../../api/languages/${tag}/`, import.meta.url) });
    const wrong = loadExamples(language.files).groups.flatMap(({ skill, sentences }) =>
      sentences.filter((text) => skills.responder.understood(text)?.skill !== skill),
    );

    expect(wrong).toEqual([]);
  });

  test('the routines that the page suggests ask about alarms and reminders in its words', () => {
    const file = new URL(`../../console/src/language/${tag}/settings.json`, import.meta.url);
    const texts = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, 'utf8')));
    setPageLanguage(pageLanguages.find((each) => each === tag) ?? 'en', tag, texts);
    const asked = suggestions().flatMap(({ steps }) => steps.flatMap(({ ask }) => ask ?? []));
    setPageLanguage('en', 'en', {});

    // Home Assistant answers the question about the weather.
    expect(asked.map((text) => understood(text))).toEqual(['timers.list', null, 'timers.list']);
  });
});
