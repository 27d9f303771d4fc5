import '../../style/health.css';
import type { House } from '../../house.ts';
import { smallModels } from '../../parts/health.ts';
import { Warnings } from '../../parts/warnings.tsx';
import { Tokens } from '../settings/tokens.tsx';
import { Check } from './check.tsx';
import { Engines } from './engines.tsx';
import { Logs } from './logs.tsx';
import { Restart } from './restart.tsx';

/** Shows whether everything works, and the causes of problems. */
export function HealthView({ house }: { house: House }) {
  return (
    <>
      <Notes house={house} />
      <Engines house={house} />
      <Check house={house} />
      <Restart house={house} />
      <Tokens house={house} />
      {/* The last one, because it grows. */}
      <Logs house={house} />
    </>
  );
}

/** The notes about the whole household. */
function Notes({ house }: { house: House }) {
  const health = house.health.state.value.value;
  const small = health && smallModels(health);
  return (
    <>
      {health === null && <span class="loading" hidden />}
      {small != null && (
        <p class="note" role="status">
          {small}
        </p>
      )}
      <Warnings house={house} />
    </>
  );
}
