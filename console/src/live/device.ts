import { signal } from '@preact/signals';

/**
 * `hold`: listens while the button is held. `free`: always listens. The others always listen, and answer only
 * after the assistant's name, a wake word, or either.
 */
export type TalkMode = 'hold' | 'free' | 'name' | 'word' | 'word+name';

export interface Device {
  /** Identifies the conversation and this page's connection at the server. */
  name: string;
  room: string;
  mode: TalkMode;
  /** Whether the person chose the name and room, or the page generated them. */
  isChosen: boolean;
  /** Whether answers to typed questions are also spoken. */
  speaksTyped: boolean;
}

/** Whether a page generated this name, so no person has chosen it. */
export const isGeneratedName = (name: string): boolean => /^page-[0-9a-z]+$/.test(name);

export type DeviceKeeper = ReturnType<typeof createDeviceKeeper>;

const modes: readonly TalkMode[] = ['hold', 'free', 'name', 'word', 'word+name'];
const key = 'hearth-device';

/** The name and room of this device, stored on the device itself. */
export function createDeviceKeeper(storage: Storage) {
  const device = signal<Device>(read(storage));
  const change = (changes: Partial<Device>): void => {
    device.value = { ...device.value, ...changes };
    storage.setItem(key, JSON.stringify(device.value));
  };
  // A generated name is stored too, because it identifies the conversation.
  change({});
  return { device, change };
}

function read(storage: Storage): Device {
  const kept = parse(storage.getItem(key));
  const text = (name: string) => {
    const value = kept.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    name: text('name') || `page-${crypto.getRandomValues(new Uint16Array(1))[0]?.toString(36)}`,
    room: text('room'),
    mode: modes.find((each) => each === text('mode')) ?? 'hold',
    isChosen: kept.get('isChosen') === true,
    speaksTyped: kept.get('speaksTyped') === true,
  };
}

function parse(text: string | null): Map<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
  } catch {
    return new Map(); // unreadable, so ignore it; the next choice overwrites it
  }
}
