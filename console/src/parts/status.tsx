import type { House } from '../house.ts';
import { tellHealth } from './health.ts';

/** At a glance: is all well? */
export function Status({ house }: { house: House }) {
  const { value, trouble } = house.health.state.value;
  const { mood, words } = tellHealth(value, trouble);
  return (
    <p class={`status ${mood}`} role="status">
      <span class="lamp" aria-hidden="true" />
      <span>{words}</span>
    </p>
  );
}
