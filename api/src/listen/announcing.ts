import type { Spot } from '../announcements/announcement.ts';
import type { AnnouncementOrder, AnnouncementState } from '../announcements/announcement-post.ts';

/** A satellite of this process. */
export interface AnnouncingSatellite {
  conversation: string;
  /** Says it when nobody speaks there. */
  say: (text: string, tell: (state: AnnouncementState) => void) => Promise<void>;
}

interface AnnouncingOptions {
  /** It was heard in a conversation: an answer to it goes there. */
  onHeard: (conversation: string, from: Spot) => Promise<void>;
  onError: (error: unknown) => void;
}

export type Announcing = ReturnType<typeof createAnnouncing>;

/** Says announcements on the satellites of this process that they are meant for. */
export function createAnnouncing({ onHeard, onError }: AnnouncingOptions) {
  const satellites = new Map<string, AnnouncingSatellite>();

  const sayOn = async (
    session: string,
    { text, from }: AnnouncementOrder,
    tell: (session: string, state: AnnouncementState) => void,
  ): Promise<void> => {
    const satellite = satellites.get(session);
    await satellite?.say(text, (state) => {
      tell(session, state);
      const heardIn = satellites.get(session)?.conversation;
      if (state === 'playing' && from && heardIn) onHeard(heardIn, from).catch(onError);
    });
  };

  return {
    /** The satellite is there, or has another name now. */
    put: (session: string, satellite: AnnouncingSatellite): void => void satellites.set(session, satellite),
    leave: (session: string): void => void satellites.delete(session),
    onOrder(order: AnnouncementOrder, tell: (session: string, state: AnnouncementState) => void): void {
      for (const session of order.sessions) sayOn(session, order, tell).catch(onError);
    },
  };
}
