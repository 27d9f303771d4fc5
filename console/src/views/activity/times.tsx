import { Day } from './day.tsx';
import { MedianWait } from './median-wait.tsx';
import { TurnList } from './turn-list.tsx';
import type { DayOfTurns } from './waterfall.ts';

/** Where the time of the last turns went. Loaded only when someone opens it, because of the chart. */
export function Times({ day }: { day: Partial<DayOfTurns> }) {
  return (
    <>
      <Day day={day} />
      <MedianWait turns={day.turns ?? []} />
      <TurnList turns={day.turns ?? []} />
    </>
  );
}
