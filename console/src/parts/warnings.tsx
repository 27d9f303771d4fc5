import type { House } from '../house.ts';
import { listOf } from '../server/shapes.ts';

interface WarningsProps {
  house: House;
  /** Shows only warnings with these names. */
  named?: readonly string[];
}

/** Problems, present or expected soon, with advice. */
export function Warnings({ house, named }: WarningsProps) {
  return listOf(house.health.state.value.value?.warnings)
    .filter(({ name }) => named?.includes(name) ?? true)
    .map(({ name, message, advice }) => (
      <p key={name} class="note" role="status">
        {message} {advice}
      </p>
    ));
}
