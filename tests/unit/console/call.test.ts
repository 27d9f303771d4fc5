import { expect, test } from 'vitest';
import { withoutField } from '../../../console/src/server/call.ts';

test.each([
  [
    '"routines.0.name" is not valid: Its name, as people say it: letters, digits and punctuation.',
    'routines.0.name',
    'This is not valid. Its name, as people say it: letters, digits and punctuation.',
  ],
  [
    '"items.0" must have no more than 200 characters.',
    'items.0',
    'This must have no more than 200 characters.',
  ],
  ['"name" contains characters that are not text.', 'name', 'This contains characters that are not text.'],
  ['"name" is missing.', 'name', 'This is missing.'],
])('shows the fault of a field without its path: %s', (message, param, shown) => {
  expect(withoutField(message, param)).toBe(shown);
});

test.each([
  ['There is no list "camping".', 'list'],
  ['"camping" is a list already.', 'name'],
  ['Hearth has no rule for this.', 'routines.0.steps.0'],
  ['"Anna" is not a language.', null],
])('leaves any other message unchanged: %s', (message, param) => {
  expect(withoutField(message, param)).toBe(message);
});
