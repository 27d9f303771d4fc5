import { describe, expect, test } from 'vitest';
import { homeAddress, homeToken } from '../../../api/src/settings/home-connection.ts';

describe('the address of a Home Assistant', () => {
  test.each([
    ['http://192.168.1.20:8123', 'http://192.168.1.20:8123'],
    [' homeassistant.local:8123/ ', 'http://homeassistant.local:8123'],
    ['https://ha.example.org/lovelace/0?edit=1#x', 'https://ha.example.org'],
    ['http://[fd00::20]:8123/api', 'http://[fd00::20]:8123'],
  ])('may be typed or copied as %s', (typed, address) => {
    expect(homeAddress(typed)).toBe(address);
  });

  test.each([
    '',
    ' ',
    'ftp://nas',
    'file:///etc/passwd',
    'http://',
    'http://me:secret@nas',
    'a b',
    'x'.repeat(301),
  ])('is not %j', (typed) => {
    expect(homeAddress(typed)).toBeNull();
  });
});

test('a token is one word of plain characters, without the surrounding space of a copy', () => {
  expect(['eyJ.x-y_z', ' eyJ\n', 'two words', '', 'schlüssel'].map(homeToken)).toEqual([
    'eyJ.x-y_z',
    'eyJ',
    null,
    null,
    null,
  ]);
});
