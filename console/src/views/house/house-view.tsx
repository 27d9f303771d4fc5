import type { House } from '../../house.ts';

export function HouseView({ house }: { house: House; detail?: string | null }) {
  return <h1>House {house.keeper.device.value.name}</h1>;
}
