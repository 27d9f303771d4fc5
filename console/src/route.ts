import { signal } from '@preact/signals';

export const views = ['talk', 'turns', 'house', 'settings'] as const;
export type View = (typeof views)[number];

export interface Route {
  view: View;
  /** The part of the view that is shown: `#/turns/<id>`. */
  detail: string | null;
}

/** The view that a hash names; the first for anything else. */
export function routeOf(hash: string): Route {
  const [name, detail] = hash.replace(/^#\/?/, '').split('/', 2);
  const view = views.find((each) => each === name);
  return { view: view ?? 'talk', detail: view && detail ? decoded(detail) : null };
}

export function hashOf(view: View, detail?: string): string {
  return detail === undefined ? `#/${view}` : `#/${view}/${encodeURIComponent(detail)}`;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

export function createRouter() {
  const route = signal(routeOf(location.hash));
  addEventListener('hashchange', () => {
    route.value = routeOf(location.hash);
  });
  return { route };
}
