import type { Announcements } from '../announcements/announcements.ts';
import { AppError } from '../errors.ts';
import { type Caller, ownName } from './caller.ts';
import type { Handlers } from './contract-routes.ts';
import type { components } from './contract-types.ts';

/** Announces a text in rooms, for a program or the page. */
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

      const found = await announcements.announce({ text, ...placesOf(body, request.caller), turn: null });
      const [satellites, missing] = [satellitesOf(found), found?.missing ?? []];
      if (satellites.length === 0) throw nobody(missing);
      if (satellites.every(({ state }) => state === 'failed'))
        throw new AppError('tts_unavailable', 'No satellite could announce it. The log shows why.');
      return { satellites, missing };
    },
  };
}

type Announced = Awaited<ReturnType<Announcements['announce']>>;
type AnnouncementRequest = components['schemas']['AnnouncementRequest'];

function satellitesOf(found: Announced) {
  const states = ['playing', 'waiting', 'failed'] as const;
  return states.flatMap((state) => (found?.[state] ?? []).map(({ room }) => ({ room, state })));
}

/** The rooms to announce in, and the caller's own place, which is left out. */
function placesOf({ rooms, room, client }: AnnouncementRequest, caller: Caller) {
  const [own, conversation] = [room?.trim() || null, client ? ownName(caller, client) : null];
  const from = own === null && conversation === null ? null : { room: own, conversation };
  return { rooms: rooms?.map((each) => each.trim()) ?? null, from };
}

function nobody(missing: readonly string[]): AppError {
  if (missing.length === 0)
    return new AppError('not_found', 'No connected satellite can announce it.', { param: 'rooms' });
  return new AppError('not_found', `No satellite is connected there: ${missing.join(', ')}.`, {
    param: 'rooms',
  });
}
