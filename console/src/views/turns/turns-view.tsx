import '../../style/turns.css';
import type { House } from '../../house.ts';
import { Loaded, useResource } from '../../parts/resource.tsx';
import { Conversations } from './conversations.tsx';
import { Day } from './day.tsx';
import { Lists } from './lists.tsx';
import { OneTurn } from './one-turn.tsx';
import { PendingTimers } from './pending-timers.tsx';
import { TurnList } from './turn-list.tsx';
import type { DayOfTurns } from './waterfall.ts';

const everyMs = 5_000;

/** The latest turns, and everything that the house keeps. */
export function TurnsView({ house, detail }: { house: House; detail: string | null }) {
  if (detail !== null) return <OneTurn key={detail} house={house} id={detail} />;
  return (
    <div class="stack">
      <h1>Turns</h1>
      <div class="two">
        <PendingTimers house={house} />
        <Lists house={house} />
      </div>
      <LastTurns house={house} />
      <Conversations house={house} />
    </div>
  );
}

function LastTurns({ house }: { house: House }) {
  const { state } = useResource<DayOfTurns>(house, '/admin/turns?limit=50', everyMs);
  return (
    <Loaded state={state.value} what="its turns">
      {(day) => (
        <>
          <Day day={day} />
          <TurnList turns={day.turns ?? []} />
        </>
      )}
    </Loaded>
  );
}
