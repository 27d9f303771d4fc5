import '../../style/house.css';
import type { House } from '../../house.ts';
import { Check } from './check.tsx';
import { Engines } from './engines.tsx';
import { Logs } from './logs.tsx';
import { Restart } from './restart.tsx';

/** Is all well, and if not, what is it? */
export function HouseView({ house }: { house: House }) {
  return (
    <div class="stack">
      <h1>House</h1>
      <Engines house={house} />
      <Check house={house} />
      <Restart house={house} />
      <Logs house={house} />
    </div>
  );
}
