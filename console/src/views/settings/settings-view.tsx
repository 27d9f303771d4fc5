import type { House } from '../../house.ts';

export function SettingsView({ house }: { house: House; detail?: string | null }) {
  return <h1>Settings {house.keeper.device.value.name}</h1>;
}
