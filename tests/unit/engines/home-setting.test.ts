import { expect, test } from 'vitest';
import { settingOf } from '../../../api/src/engines/home-setting.ts';

const read = (id: string, thing: object) =>
  settingOf(id, {
    signal: new AbortController().signal,
    look: async (asked, schema) => {
      expect(asked).toBe(id);
      return schema.parse(thing);
    },
  });

test.each([
  ['climate.hall', { state: 'heat', attributes: { temperature: 21.5 } }, { unit: 'degrees', value: 21.5 }],
  ['climate.hall', { state: 'off', attributes: { temperature: 21.5 } }, null],
  ['climate.hall', { state: 'heat_cool', attributes: { temperature: null } }, null],
  ['light.lamp', { state: 'on', attributes: { brightness: 128 } }, { unit: 'percent', value: 50 }],
  ['light.lamp', { state: 'on', attributes: { brightness: null } }, null],
  ['fan.ceiling', { state: 'on', attributes: { percentage: 33 } }, { unit: 'percent', value: 33 }],
  ['cover.blind', { state: 'open', attributes: { current_position: 70 } }, { unit: 'percent', value: 70 }],
  ['cover.blind', { state: 'closed', attributes: { current_position: 0 } }, null],
  ['light.lamp', { state: 'unavailable' }, null],
  ['switch.plug', { state: 'on', attributes: { brightness: 128 } }, null],
])('%s as %j is set to %j', async (id, thing, setting) => {
  expect(await read(id, thing)).toEqual(setting);
});
