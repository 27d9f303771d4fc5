import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import type { House } from '../house.ts';
import { t } from '../language/translate.ts';
import { createPoll, type Poll, type Polled } from '../server/poll.ts';
import { bodyOf } from '../server/shapes.ts';
import { HouseholdZone } from './household-times.ts';

/** Polls a GET route for as long as its answer is shown. */
export function useResource<T extends object>(
  house: House,
  path: string,
  intervalMs: number,
): Poll<Partial<T>> {
  const poll = useMemo(
    () =>
      createPoll<Partial<T>>(
        async (signal) => {
          const { body } = await house.caller.call(path, { signal });
          return bodyOf<T>(body);
        },
        intervalMs,
        house.reach,
      ),
    [house, path, intervalMs],
  );
  useEffect(() => poll.watch(), [poll]);
  return poll;
}

interface ShownProps<T> {
  state: Polled<T>;
  /** Its name in the page's language, for the sentence shown if there is no value: "timers". */
  what: string;
  children: (value: T) => ComponentChildren;
}

/**
 * Shows the value of a resource, or a sentence about why there is none. The value may contain times, so it
 * waits for the household's time zone.
 */
export function Loaded<T>({ state, what, children }: ShownProps<T>) {
  const { trouble, isMissing, isAway } = state;
  const value = useContext(HouseholdZone).isZoneDecided.value ? state.value : null;
  if (isMissing) return <p class="quiet">{t('This server does not report {what}.', { what })}</p>;
  return (
    <>
      {trouble !== null && !isAway && (
        <p class="note ill" role="status">
          {trouble} {value !== null && t('This view may be out of date.')}
        </p>
      )}
      {value === null
        ? (trouble === null || isAway) && <p class="quiet loading">{t('One moment …')}</p>
        : children(value)}
    </>
  );
}
