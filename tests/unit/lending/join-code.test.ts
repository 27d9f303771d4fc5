import { expect, test } from 'vitest';
import { joinCodeOf } from '../../../api/src/tokens/join-code.ts';

const code = 'Zm9vYmFyYmF6cXV4cXV1eA';
const usual = { code, httpsPort: 8443, caCertificate: null, languages: ['de', 'en'] };

test.each([
  ['http://192.168.1.5:8765', `192.168.1.5:8443/${code}//de,en`],
  ['http://[fd00::5]:8765', `[fd00::5]:8443/${code}//de,en`],
  ['https://hearth.example', `hearth.example:443/${code}//de,en`],
  ['https://hearth.example:9443', `hearth.example:9443/${code}//de,en`],
])('the code of a link at %s names its https address', (origin, expected) => {
  expect(joinCodeOf({ ...usual, url: `${origin}/phone#${code}` })).toBe(expected);
});

test('there is no code without https', () => {
  expect(joinCodeOf({ ...usual, httpsPort: null, url: `http://192.168.1.5:8765/phone#${code}` })).toBeNull();
});
