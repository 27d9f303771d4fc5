import { type Signal, signal } from '@preact/signals';
import type { ServerEvent } from '../../../api/src/listen/events/listen-events.ts';
import { t } from '../language/translate.ts';
import type { DeviceKeeper } from './device.ts';

interface PlaceOptions {
  keeper: DeviceKeeper;
  trouble: Signal<string | null>;
}

/** The room and language of this device. The household's choices take precedence. */
export function createPlace({ keeper, trouble }: PlaceOptions) {
  const language = signal<string | undefined>(undefined);
  let wantedRoom: string | null = null;
  return {
    /** Undefined: none was chosen for this device. */
    language,
    /** The person has typed a room here. */
    want(room: string): void {
      wantedRoom = room;
    },
    /** Adopts the server's values, so that typed and spoken questions come from the same room. */
    handle(event: ServerEvent): void {
      if (event.type !== 'session.created' && event.type !== 'session.updated') return;
      language.value = event.session.language;
      const room = event.session.room ?? '';
      if (wantedRoom !== null && wantedRoom !== room) trouble.value = keptWords(room);
      wantedRoom = null;
      if (room !== keeper.device.value.room) keeper.change({ room });
    },
  };
}

function keptWords(room: string): string {
  return t('The household has put this device into the room “{room}”. Change that under Home, Rooms.', {
    room,
  });
}
