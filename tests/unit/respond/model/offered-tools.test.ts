import { describe, expect, test } from 'vitest';
import { offeredTools } from '../../../../api/src/respond/model/offered-tools.ts';

const tool = (name: string) => ({ name, description: '', schema: {} });
const has = (server: string, ...names: string[]) => ({ server, tools: names.map(tool) });
const server = (name: string) => ({ name, url: `http://${name}/` });

describe('third-party tools', () => {
  test('come only from servers that the household has named', () => {
    const offered = offeredTools([server('weather')], [has('weather', 'forecast'), has('old', 'forecast')]);

    expect(offered.map(({ name }) => name)).toEqual(['weather__forecast']);
  });

  test('act unless they or their server are marked as read-only', () => {
    const shop = { ...server('shop'), acts: { search: 'read' as const } };
    const wiki = { ...server('wiki'), default_effect: 'read' as const, acts: { edit: 'act' as const } };

    const offered = offeredTools([shop, wiki], [has('shop', 'buy', 'search'), has('wiki', 'edit', 'page')]);

    expect(offered.map(({ name, effect }) => `${name} ${effect}`)).toEqual([
      ...['shop__buy act', 'shop__search read', 'wiki__edit act', 'wiki__page read'],
    ]);
  });

  test('are not marked by a property that every object has', () => {
    const shop = { ...server('shop'), acts: {} };

    const offered = offeredTools([shop], [has('shop', 'toString', 'constructor')]);

    expect(offered.map(({ effect }) => effect)).toEqual(['act', 'act']);
  });

  test('have the same order whichever server answers first', () => {
    const [one, two] = [has('weather', 'now', 'forecast'), has('shop', 'buy')];
    const named = [server('weather'), server('shop')];

    expect(offeredTools(named, [one, two])).toEqual(offeredTools(named, [two, one]));
  });

  test('have unique names, in characters that an engine accepts', () => {
    const offered = offeredTools([server('shop')], [has('shop', 'buy it', 'buy/it', 'größe')]);

    expect(offered.map(({ name }) => name)).toEqual(['shop__buy_it', 'shop__buy_it_2', 'shop__gr_e']);
  });

  test('are limited to 64', () => {
    const many = Array.from({ length: 70 }, (_, at) => `tool${at}`);

    expect(offeredTools([server('shop')], [has('shop', ...many)])).toHaveLength(64);
  });
});
