import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Exchange } from '../../../../api/src/conversations/exchange.ts';
import type { SlotType } from '../../../../api/src/language/grammar/walk.ts';
import { loadLanguage } from '../../../../api/src/language/language.ts';
import { plainAnswer } from '../../../../api/src/respond/core/responder.ts';
import { createNearRules } from '../../../../api/src/respond/corrections/near-rules.ts';
import { type Asked, englishSkills, question, remarks } from '../../../support/skills.ts';

/** Understanding needs no Redis: this client is never connected. */
const redis = new Redis({ lazyConnect: true });
const language = loadLanguage({ folder: new URL('../../../../api/languages/en/', import.meta.url) });
const { responder, grammar, timerSkill, skills } = englishSkills(redis);
const { read } = timerSkill.talk;

const groups = z.record(z.string(), z.array(z.string()));
const sentences = z
  .strictObject({ asked: groups, told: groups, left: z.array(z.string()) })
  .parse(load(readFileSync(new URL('../../../sentences/near.yaml', import.meta.url), 'utf8')));
const pairs = (of: z.infer<typeof groups>) =>
  Object.entries(of).flatMap(([meant, texts]) => texts.map((text) => ({ meant, text })));

/** The only thing in this house. */
const things: SlotType = { ends: (words, from) => (words[from]?.word === 'fan' ? [from + 1] : []) };

let noted: string[] = [];
let told: string[] = [];
const rules = createNearRules({
  files: language.files,
  readWords: grammar.readWords,
  doubts: { note: async ({ text }) => void noted.push(text) },
  skills: {
    meaning: responder.meaning,
    understood: responder.understood,
    respond: async ({ turn }) => {
      told.push(turn.text);
      return plainAnswer('Answered.');
    },
  },
  times: read.moments,
  lengths: read.durations.read,
  repeats: read.readRepeat,
  colors: ['red', 'blue'],
  rooms: () => ['Kitchen', 'Bedroom'],
  slotType: (skill, slot) =>
    skill === 'home' ? things : skills.find(({ name }) => name === skill)?.slotTypes?.[slot],
  isForHome: async (text) =>
    /^(?:turn|make|start|set|play|skip|mute) .*(?:song|music|fan|lights|warmer|cooler|volume|coffee|vacuum)/.test(
      text,
    ) || text === 'make coffee',
});

/** The outcome of a sentence: the words to confirm, or those that a rule answers. */
async function near(text: string, turn: Asked = {}, exchanges: readonly Exchange[] = []) {
  noted = [];
  told = [];
  const answer = await rules.respond(question(text, turn, exchanges));
  return { reply: answer?.text ?? null, noted, told };
}

const inOtherPerson = (text: string): string =>
  text.replaceAll(/\bmy\b/g, 'your').replaceAll(/\bme\b/g, 'you');

describe('a sentence near a rule', () => {
  test.each(pairs(sentences.asked))('$text is asked back as "$meant"', async ({ meant, text }) => {
    expect(await near(text)).toEqual({ reply: `Shall I ${inOtherPerson(meant)}?`, noted: [meant], told: [] });
  });

  test.each(pairs(sentences.told))('$text is answered as "$meant"', async ({ meant, text }) => {
    expect(await near(text)).toEqual({ reply: 'Answered.', noted: [], told: [meant] });
  });

  test('is asked back only once', async () => {
    const text = 'Have the alarm ring at noon.';
    const { reply } = await near(text);
    const before = [{ user: text, assistant: reply ?? '', turn: 'before' }];

    expect(await near(text, {}, before)).toEqual({ reply: null, noted: [], told: [] });
  });

  test('is left to the confirmation question if the transcript is uncertain', async () => {
    const answer = await near('Have the alarm ring at noon.', { isSure: false });

    expect(answer).toEqual({ reply: null, noted: [], told: [] });
  });
});

describe('a sentence with only the words of a rule', () => {
  test.each(sentences.left)('%s is left alone', async (text) => {
    expect(await near(text)).toEqual({ reply: null, noted: [], told: [] });
  });

  test('is left alone among all remarks, except for a few possible requests', async () => {
    const taken: string[] = [];
    for (const text of remarks) if ((await near(text)).reply !== null) taken.push(text);

    expect(taken.toSorted()).toEqual([
      "I don't want an alarm tomorrow.",
      // A question.
      'I need to find out whether milk is on my list.',
      'Make sure the alarm is off.',
      // The house has understood it before.
      'Turn on the kitchen lights.',
    ]);
  });
});
