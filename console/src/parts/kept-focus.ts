/** Elements that take over the focus of an element that is gone. */
const places = 'li, section, [tabindex], main';

/** An ancestor of the focused element, and its position among its siblings. */
interface Step {
  element: HTMLElement;
  parent: HTMLElement | null;
  index: number;
}

/**
 * Keeps the focus near an element that is removed, moved, or disabled for a moment. Otherwise the keyboard
 * would start again at the top of the page. Returns a function that ends it.
 */
export function keepFocus(root: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  let path: readonly Step[] = [];
  const note = ({ target }: Event): void => {
    if (!(target instanceof HTMLElement)) return;
    last = target;
    path = pathOf(target);
  };
  const forget = (): void => {
    last = null;
  };
  /** A press elsewhere takes the focus away on purpose. */
  const press = ({ target }: Event): void => {
    if (!(target instanceof Node) || !last?.contains(target)) forget();
  };
  const leave = (): void => {
    const left = last;
    // Decide later, because some browsers report that an element is gone before it is.
    setTimeout(() => {
      if (left !== null && left === last && isUsable(left)) forget();
    });
  };
  const look = (): void => {
    if (last === null || document.activeElement !== document.body) return;
    if (isUsable(last)) last.focus({ preventScroll: true });
    else if (!last.isConnected) focusPlace(placeFor(path));
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  root.addEventListener('pointerdown', press, { capture: true });
  root.addEventListener('focusin', note);
  root.addEventListener('focusout', leave);
  return () => {
    observer.disconnect();
    root.removeEventListener('pointerdown', press, { capture: true });
    root.removeEventListener('focusin', note);
    root.removeEventListener('focusout', leave);
  };
}

/** Whether no control has the focus: the page has it, or a place that took it over. */
export function isFocusFree(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.getAttribute('tabindex') === '-1';
}

const isUsable = (element: HTMLElement): boolean => element.isConnected && !element.matches(':disabled');

function pathOf(target: HTMLElement): Step[] {
  const path: Step[] = [];
  for (let element: HTMLElement | null = target; element; element = element.parentElement) {
    const parent: HTMLElement | null = element.parentElement;
    path.push({ element, parent, index: parent === null ? 0 : [...parent.children].indexOf(element) });
  }
  return path;
}

/** The list entry that took the position of the one that is gone, or the nearest surroundings. */
function placeFor(path: readonly Step[]): HTMLElement | null {
  for (const { element, parent, index } of path) {
    if (element.isConnected && element.matches(places)) return element;
    if (!element.matches('li') || !parent?.isConnected) continue;
    const entry = parent.children[index] ?? parent.lastElementChild;
    if (entry instanceof HTMLElement) return entry;
  }
  return document.querySelector('main');
}

function focusPlace(place: HTMLElement | null): void {
  if (place === null) return;
  if (!place.hasAttribute('tabindex')) {
    place.tabIndex = -1;
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
  }
  place.focus({ preventScroll: true });
}
