import type { House } from '../../house.ts';

export function TurnsView({ house }: { house: House; detail?: string | null }) {
  return <h1>Turns {house.keeper.device.value.name}</h1>;
}
