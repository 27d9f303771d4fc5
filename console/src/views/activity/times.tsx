import { TurnsOfDay } from './day.tsx';
import { MachinePicture } from './machine-picture.tsx';
import { MedianWait } from './median-wait.tsx';
import { TurnList } from './turn-list.tsx';
import type { DayOfTurns } from './waterfall.ts';

/** Shows how the time of the last turns was spent. Loaded on demand, because of the chart. */
export function Times({ day }: { day: Partial<DayOfTurns> }) {
  return (
    <>
      <TurnsOfDay day={day} />
      <MachinePicture turns={day.turns ?? []} />
      <MedianWait turns={day.turns ?? []} />
      <TurnList turns={day.turns ?? []} />
    </>
  );
}
