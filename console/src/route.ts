export const views = ['talk', 'home', 'activity', 'settings'] as const;
export type View = (typeof views)[number];

export interface Route {
  view: View;
  /** The part of the view that is shown: `#/activity/<turn>`. */
  detail: string | null;
}

/** Former names of views, for saved addresses. */
const former: Readonly<Record<string, Route>> = {
  turns: { view: 'activity', detail: null },
  house: { view: 'settings', detail: 'health' },
};

/** The view that a hash names; the first for anything else. */
export function routeOf(hash: string): Route {
  const [name = '', detail] = hash.replace(/^#\/?/, '').split('/', 2);
  const view = views.find((each) => each === name);
  const isFormer = view === undefined && Object.hasOwn(former, name);
  const known = (isFormer && former[name]) || { view: view ?? 'talk', detail: null };
  return detail && (view || isFormer) ? { ...known, detail: decoded(detail) } : known;
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
