import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { type Exchange, isOver } from '../../live/exchanges.ts';

/** This near to the newest counts as there. */
const slackPx = 24;

/** Keeps the newest in sight, unless somebody has scrolled up to read. */
export function useNewest(exchanges: readonly Exchange[]) {
  const area = useRef<HTMLElement>(null);
  const isReading = useSignal(false);
  const last = exchanges.at(-1);
  const shown = useRef(last?.id);
  /** An answer that came all at once is read from its beginning, one that is being spoken is followed. */
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
    // A reader past the beginning of a long answer is not taken back.
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
    const observer = new ResizeObserver(() => followNow.current());
    observer.observe(area.current);
    return () => observer.disconnect();
  }, []);

  return {
    area,
    isReading,
    onScroll(): void {
      isReading.value = (area.current?.scrollTop ?? 0) < place() - slackPx;
    },
    show(): void {
      isReading.value = false;
      follow();
      area.current?.focus();
    },
  };
}
