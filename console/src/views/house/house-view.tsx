import '../../style/house.css';
import type { House } from '../../house.ts';
import { listOf } from '../../server/shapes.ts';
import { Check } from './check.tsx';
import { Engines } from './engines.tsx';
import { Logs } from './logs.tsx';
import { Restart } from './restart.tsx';

/** Is all well, and if not, what is it? */
export function HouseView({ house }: { house: House }) {
  return (
    <div class="stack">
      <h1>House</h1>
      <Warnings house={house} />
      <Engines house={house} />
      <Check house={house} />
      <Restart house={house} />
      <Logs house={house} />
    </div>
  );
}

/** What is still well, but not for long, and what to do. */
function Warnings({ house }: { house: House }) {
  const warnings = listOf(house.health.state.value.value?.warnings);
  return (
    <>
      {warnings.map(({ name, message, advice }) => (
        <p key={name} class="note" role="status">
          {message} {advice}
        </p>
      ))}
    </>
  );
}
