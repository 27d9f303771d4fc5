import '../../style/activity.css';
import type { House } from '../../house.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { Day } from './day.tsx';
import { Forgetting } from './forgetting.tsx';
import { MedianWait } from './median-wait.tsx';
import { OneTurn } from './one-turn.tsx';
import { Said } from './said.tsx';
import { TurnList } from './turn-list.tsx';
import type { DayOfTurns } from './waterfall.ts';

const everyMs = 5_000;

/** What was said, the words first; how it came about, for those who want to know. */
export function ActivityView({ house, detail }: { house: House; detail: string | null }) {
  return detail === null ? <All house={house} /> : <OneTurn key={detail} house={house} id={detail} />;
}

function All({ house }: { house: House }) {
  const { state } = useResource<DayOfTurns>(house, '/admin/turns?limit=200', everyMs);
  const { value, trouble, isMissing } = state.value;
  // An entry shows its turn, so the list waits for the turns: nothing moves when they come.
  const isDecided = value !== null || trouble !== null || isMissing;
  return (
    <div class="stack">
      <h1>Activity</h1>
      <Said house={house} turns={isDecided ? (value?.turns ?? []) : null} />
      <Forgetting house={house} />
      <details class="card times">
        <summary>Details: where the time went</summary>
        <div class="stack">
          <Loaded state={state.value} what="its turns">
            {(day) => (
              <>
                <Day day={day} />
                <MedianWait turns={day.turns ?? []} />
                <TurnList turns={day.turns ?? []} />
              </>
            )}
          </Loaded>
        </div>
      </details>
    </div>
  );
}
