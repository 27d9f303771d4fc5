import type { House } from '../../house.ts';

export function TalkView({ house }: { house: House; detail?: string | null }) {
  return <h1>Talk {house.keeper.device.value.name}</h1>;
}
