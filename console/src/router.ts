import { signal } from '@preact/signals';
import { routeOf } from './route.ts';

/** The view that the address names. */
export function createRouter() {
  const route = signal(routeOf(location.hash));
  addEventListener('hashchange', () => {
    route.value = routeOf(location.hash);
  });
  return { route };
}
