import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Exchange, isOver } from '../../live/exchanges.ts';

/** Distance from the end, in pixels, that counts as the end. */
const slackPx = 24;
/** Time after a touch, a key or the wheel in which a scroll counts as the person's. */
const personMs = 1_000;
const inputs = ['wheel', 'touchstart', 'touchmove', 'keydown', 'pointerdown', 'pointermove'] as const;

/** Scrolls to the newest entry, unless someone has scrolled up to read. */
export function useNewest(exchanges: readonly Exchange[]) {
  const area = useRef<HTMLElement>(null);
  const isReading = useSignal(false);
  const lastInputAtMs = useRef(Number.NEGATIVE_INFINITY);
  const last = exchanges.at(-1);
  const shown = useRef(last?.id);
  /** Shows the beginning of an answer that arrived at once, and the end of one that is being spoken. */
  const isWhole = last?.kind === 'typed' && isOver(last);

  const place = (): number => {
    const within = area.current;
    if (!within || !last) return 0;
    const end = within.scrollHeight - within.clientHeight;
    const newest = within.querySelector<HTMLElement>('.exchange:last-of-type');
    return isWhole && newest ? Math.min(end, newest.offsetTop - slackPx / 2) : end;
  };
  const follow = (): void => {
    const within = area.current;
    // Does not scroll back while someone reads a long answer.
    if (within && !isReading.value) within.scrollTop = Math.max(within.scrollTop, place());
  };
  const followNow = useRef(follow);
  followNow.current = follow;

  useLayoutEffect(() => {
    // People who ask want to see the answer.
    if (last?.kind === 'typed' && shown.current !== last.id) isReading.value = false;
    shown.current = last?.id;
    follow();
  }, [exchanges]);
  useLayoutEffect(() => {
    if (!area.current) return undefined;
    const within = area.current;
    const observer = new ResizeObserver(() => followNow.current());
    observer.observe(within);
    const noteInput = (event: Event): void => {
      // A pointer that only hovers does not scroll.
      if (event instanceof PointerEvent && event.buttons === 0) return;
      lastInputAtMs.current = performance.now();
    };
    for (const input of inputs) within.addEventListener(input, noteInput, { passive: true });
    return () => {
      observer.disconnect();
      for (const input of inputs) within.removeEventListener(input, noteInput);
    };
  }, []);

  return {
    area,
    isReading,
    onScroll(): void {
      const isAway = (area.current?.scrollTop ?? 0) < place() - slackPx;
      // The browser scrolls as well, when chips or a bar make the area lower.
      const isByPerson = performance.now() - lastInputAtMs.current < personMs;
      if (isAway && !isByPerson) follow();
      else isReading.value = isAway;
    },
    show(): void {
      isReading.value = false;
      follow();
      area.current?.focus();
    },
  };
}
