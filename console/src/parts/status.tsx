import type { House } from '../house.ts';
import { hashOf } from '../route.ts';
import { describeHealth } from './health.ts';

/** Shows at a glance whether everything works. */
export function Status({ house }: { house: House }) {
  const { value, trouble } = house.health.state.value;
  const { mood, words, isSetting } = describeHealth(value, trouble);
  return (
    <p class={`status ${mood}`} role="status">
      <span class="lamp" aria-hidden="true" />
      <a href={isSetting ? hashOf('settings') : hashOf('settings', 'health')}>{words}</a>
    </p>
  );
}
