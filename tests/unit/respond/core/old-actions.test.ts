import { describe, expect, test } from 'vitest';
import { asOfToday } from '../../../../api/src/respond/core/old-actions.ts';

const by = { turn: 'before', at: 1795274400000 };

describe('an action of the previous version', () => {
  test('at home keeps its changes', () => {
    const record = `{"turn":"before","at":1795274400000,"kind":"home.switch","about":{"text":"turn on the lamp"},"values":["light.lamp\\toff\\tReading lamp"]}`;

    expect(asOfToday(JSON.parse(record))).toEqual({
      ...by,
      kind: 'home.switch',
      text: 'turn on the lamp',
      isUnsure: false,
      changed: [{ id: 'light.lamp', before: 'off', name: 'Reading lamp' }],
    });
  });

  test('at home with an unknown outcome keeps that outcome', () => {
    const record = `{"turn":"before","at":1795274400000,"kind":"home.command","about":{"text":"lock the door","came":"unsure"},"values":["done"]}`;

    expect(asOfToday(JSON.parse(record))).toEqual({
      ...by,
      kind: 'home.command',
      text: 'lock the door',
      isUnsure: true,
    });
  });

  test('with an external tool keeps its names, and that it was undone', () => {
    const record = `{"turn":"before","at":1795274400000,"kind":"mcp.use","about":{"server":"post","tool":"send"},"values":["done"],"undoneAt":1795274401000,"undoneBy":"later"}`;

    expect(asOfToday(JSON.parse(record))).toEqual({
      ...by,
      kind: 'mcp.use',
      server: 'post',
      tool: 'send',
      undoneAt: 1795274401000,
      undoneBy: 'later',
    });
  });
});

test('an action of the current version is unchanged', () => {
  const action = { ...by, kind: 'mcp.use', server: 'post', tool: 'send' };

  expect(asOfToday(action)).toBe(action);
});
