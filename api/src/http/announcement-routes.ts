import type { Announcements } from '../announcements/announcements.ts';
import { AppError } from '../errors.ts';
import { ownName } from './caller.ts';
import type { Handlers } from './contract-routes.ts';

/** Words of a program, or of the page, for the rooms. */
export function announcementRoutes({
  announcements,
}: {
  announcements: Pick<Announcements, 'announce' | 'isQuiet'>;
}): Pick<Handlers, 'announce'> {
  return {
    async announce({ body, request }) {
      const text = body.text.trim();
      if (text === '') throw new AppError('invalid_request', '"text" holds no words.', { param: 'text' });
      if (announcements.isQuiet() && body.in_quiet_hours !== true)
        throw new AppError('quiet_hours', undefined, { param: 'in_quiet_hours' });

      const rooms = body.rooms?.map((room) => room.trim()) ?? null;
      const room = body.room?.trim() || null;
      const conversation = body.client ? ownName(request.caller, body.client) : null;
      const from = room === null && conversation === null ? null : { room, conversation };
      const found = await announcements.announce({ text, rooms, from, turn: null });
      const satellites = (['playing', 'waiting', 'failed'] as const).flatMap((state) =>
        (found?.[state] ?? []).map((place) => ({ room: place.room, state })),
      );
      const missing = found?.missing ?? [];
      if (satellites.length === 0) throw nobody(missing);
      if (satellites.every(({ state }) => state === 'failed')) throw new AppError('tts_unavailable');
      return { satellites, missing };
    },
  };
}

function nobody(missing: readonly string[]): AppError {
  if (missing.length === 0)
    return new AppError('not_found', 'No satellite is connected that could say it.', { param: 'rooms' });
  return new AppError('not_found', `No satellite is connected there: ${missing.join(', ')}.`, {
    param: 'rooms',
  });
}
