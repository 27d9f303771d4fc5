import '../../style/home.css';
import type { House } from '../../house.ts';
import { t } from '../../language/translate.ts';
import { NewSatellites } from '../settings/joinings.tsx';
import { Lists } from './lists.tsx';
import { PendingTimers } from './pending-timers.tsx';
import { Satellites } from './satellites.tsx';
import { Things } from './things.tsx';

/** The timers and lists of the household, its satellites, and those that ask to join. */
export function HomeView({ house }: { house: House }) {
  return (
    <div class="stack">
      <h1>{t('Home')}</h1>
      <NewSatellites house={house} />
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
