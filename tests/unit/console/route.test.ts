import { expect, test } from 'vitest';
import { hashOf, routeOf } from '../../../console/src/route.ts';

test.each([
  ['', { view: 'talk', detail: null }],
  ['#/home', { view: 'home', detail: null }],
  ['#/activity/a%2Fb', { view: 'activity', detail: 'a/b' }],
  ['#/talk/sentences', { view: 'talk', detail: 'sentences' }],
  ['#/nothing/at/all', { view: 'talk', detail: null }],
  ['#/toString', { view: 'talk', detail: null }],
  ['#/activity/%', { view: 'activity', detail: null }],
  // Their old names.
  ['#/turns/7d0f', { view: 'activity', detail: '7d0f' }],
  ['#/house', { view: 'settings', detail: 'health' }],
])('%j shows %j', (hash, route) => {
  expect(routeOf(hash)).toEqual(route);
});

test('the address of a view leads back to it', () => {
  expect(routeOf(hashOf('activity', 'a/b?c'))).toEqual({ view: 'activity', detail: 'a/b?c' });
});
