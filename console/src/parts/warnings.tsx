import type { House } from '../house.ts';
import { listOf } from '../server/shapes.ts';

interface WarningsProps {
  house: House;
  /** Only those with these names. */
  named?: readonly string[];
}

/** Things that do not work as they should, or will fail soon, and what to do about them. */
export function Warnings({ house, named }: WarningsProps) {
  return listOf(house.health.state.value.value?.warnings)
    .filter(({ name }) => named?.includes(name) ?? true)
    .map(({ name, message, advice }) => (
      <p key={name} class="note" role="status">
        {message} {advice}
      </p>
    ));
}
