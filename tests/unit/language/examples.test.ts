import { Redis } from 'ioredis';
import { describe, expect, test } from 'vitest';
import { loadExamples } from '../../../api/src/language/examples.ts';
import { loadLanguage } from '../../../api/src/language/language.ts';
import { loadSkill } from '../../../api/src/respond/core/skill-language.ts';
import { createHomeGrammar } from '../../../api/src/respond/home/understand/home-grammar.ts';
import { homeShape } from '../../../api/src/respond/home/understand/home-shape.ts';
import { createWishGrammar } from '../../../api/src/respond/home/understand/home-wishes.ts';
import { homeIntents } from '../../../api/src/respond/home/understand/understood.ts';
import { englishSkills } from '../../support/skills.ts';

const language = loadLanguage({ folder: new URL('../../../api/languages/en/', import.meta.url) });
const { groups } = loadExamples(language.files);
const inGroups = groups.flatMap(({ skill, sentences }) => sentences.map((text) => ({ skill, text })));
/** Understanding needs no Redis: this client is never connected. */
const { responder } = englishSkills(new Redis({ lazyConnect: true }));

const { sentencesOf, words } = loadSkill(language.files, 'home', homeShape);
const home = createHomeGrammar({
  grammar: createWishGrammar(language, words),
  sentences: sentencesOf(homeIntents),
  words,
});
home.learn({
  areas: ['Kitchen', 'Living Room'],
  things: [
    { id: 'light.kitchen', name: 'Kitchen light' },
    { id: 'lock.front_door', name: 'Front door' },
    { id: 'cover.blinds', name: 'Blinds' },
    { id: 'climate.heating', name: 'Heating' },
  ],
});

describe('the example sentences of the page', () => {
  test('are understood by the skill they stand under', () => {
    const byWhom = ({ skill, text }: (typeof inGroups)[number]) =>
      skill === 'home' ? home.read(text).length > 0 && 'home' : responder.understood(text)?.skill;
    const wrong = inGroups.filter((each) => byWhom(each) !== each.skill);

    expect(inGroups.length).toBeGreaterThan(50);
    expect(wrong.map((each) => `${each.text}: ${byWhom(each)}`)).toEqual([]);
  });

  test('contain no duplicates', () => {
    expect(inGroups.map(({ text }) => text)).toEqual([...new Set(inGroups.map(({ text }) => text))]);
  });
});
