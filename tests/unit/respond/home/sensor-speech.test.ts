import { expect, test } from 'vitest';
import { plainSensorSpeech, saysNothing } from '../../../../api/src/respond/home/sensor-speech.ts';

test.each([
  ['Hall is 22.9999999 °C', ['22.9999999'], 'Hall is 23 °C'],
  ['Hall is 22.46 °C', ['22.46'], 'Hall is 22.46 °C'],
  ['Pump is 0.004217 kW', ['0.004217'], 'Pump is 0.0042 kW'],
  ['Cellar is -3.14159', ['-3.14159'], 'Cellar is -3.1'],
  ['Pump is on W', ['on'], 'Pump is on'],
  ['Valve is open %', ['open'], 'Valve is open'],
  ['Lamp is on', ['on'], 'Lamp is on'],
  ['The door is locked', ['locked'], 'The door is locked'],
  ['Version is 2.10.1234', ['2.10.1234'], 'Version is 2.10.1234'],
])('%j with the states %j is described as %j', (speech, states, told) => {
  expect(plainSensorSpeech(speech, states)).toBe(told);
});

test.each(['nan', 'NaN', 'unknown', 'unavailable', 'none', ''])(
  'the state %j has no description',
  (state) => {
    expect(saysNothing(state)).toBe(true);
  },
);
