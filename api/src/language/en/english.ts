import type { LanguageRules } from '../rules.ts';

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });

export const english: LanguageRules = {
  formOf: (count) => (String(count) === '1' ? 'one' : 'other'),
  ordinalOf(place) {
    const form = ordinals.select(place);
    return form === 'one' || form === 'two' || form === 'few' ? form : 'other';
  },
};
