import '../../style/home.css';
import type { House } from '../../house.ts';
import { Lists } from './lists.tsx';
import { PendingTimers } from './pending-timers.tsx';
import { Satellites } from './satellites.tsx';
import { Things } from './things.tsx';

/** What the household has set and written down, and where it can be heard. */
export function HomeView({ house }: { house: House }) {
  return (
    <div class="stack">
      <h1>Home</h1>
      <div class="two">
        <div class="stack">
          <PendingTimers house={house} />
          <Satellites house={house} />
        </div>
        <Lists house={house} />
      </div>
      <Things house={house} />
    </div>
  );
}
