import '../../style/health.css';
import type { House } from '../../house.ts';
import { smallModels } from '../../parts/health.ts';
import { listOf } from '../../server/shapes.ts';
import { Tokens } from '../settings/tokens.tsx';
import { Check } from './check.tsx';
import { Engines } from './engines.tsx';
import { Logs } from './logs.tsx';
import { Restart } from './restart.tsx';

/** Is all well, and if not, what is it? */
export function HealthView({ house }: { house: House }) {
  return (
    <>
      <Warnings house={house} />
      <Engines house={house} />
      <Check house={house} />
      <Restart house={house} />
      <Tokens house={house} />
      {/* The last one, because it grows. */}
      <Logs house={house} />
    </>
  );
}

/** Things that still work but will fail soon, and what to do about them. */
function Warnings({ house }: { house: House }) {
  const health = house.health.state.value.value;
  const warnings = listOf(health?.warnings);
  const small = health && smallModels(health);
  return (
    <>
      {health === null && <span class="loading" hidden />}
      {small != null && (
        <p class="note" role="status">
          {small}
        </p>
      )}
      {warnings.map(({ name, message, advice }) => (
        <p key={name} class="note" role="status">
          {message} {advice}
        </p>
      ))}
    </>
  );
}
