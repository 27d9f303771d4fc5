import { hasSkill, type Language } from '../../language/language.ts';
import { loadSkill } from '../core/skill-language.ts';
import { createHomeGrammar } from './understand/home-grammar.ts';
import { homeShape } from './understand/home-shape.ts';
import { createWishGrammar } from './understand/home-wishes.ts';
import { homeIntents, type Understood } from './understand/understood.ts';

/**
 * Tells whether a sentence only switches devices of a named room: "turn off the bedroom lights". It knows the
 * words of the language but no names of this house, so it needs no connection. It accepts nothing in a
 * language without rules for the house.
 */
export function createSwitchingReader(language: Language): (text: string) => boolean {
  if (!hasSkill(language.files, 'home')) return () => false;
  const { sentencesOf, words } = loadSkill(language.files, 'home', homeShape);
  const house = createHomeGrammar({
    grammar: createWishGrammar(language, words),
    sentences: sentencesOf(homeIntents),
    words,
  });
  return (text) => {
    const understood = house.read(text);
    return understood.length > 0 && understood.every(isSwitchOfRoom);
  };
}

/** Without a room the sentence may continue with one: "turn off the lights | in the bedroom". */
function isSwitchOfRoom({ kind, intent, kinds, place, isUnknown }: Understood): boolean {
  const isSwitch = kind === 'command' && (intent === 'on' || intent === 'off');
  return isSwitch && !isUnknown && place !== '' && kinds.length > 0;
}
