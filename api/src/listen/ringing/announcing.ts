import type { Spot } from '../../announcements/announcement.ts';
import type { AnnouncementOrder, AnnouncementState } from '../../announcements/announcement-post.ts';

/** A satellite connected to this process. */
export interface AnnouncingSatellite {
  conversation: string;
  /** Says the announcement once no one is speaking there. */
  say: (text: string, tell: (state: AnnouncementState) => void) => Promise<void>;
}

interface AnnouncingOptions {
  /** An announcement is playing in a conversation: an answer there goes back to its sender. */
  onHeard: (conversation: string, from: Spot) => Promise<void>;
  onError: (error: unknown) => void;
}

export type Announcing = ReturnType<typeof createAnnouncing>;

/** Plays announcements on the satellites of this process that they are addressed to. */
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
    /** Registers a satellite, or updates it after a rename. */
    put: (session: string, satellite: AnnouncingSatellite): void => void satellites.set(session, satellite),
    leave: (session: string): void => void satellites.delete(session),
    onOrder(order: AnnouncementOrder, tell: (session: string, state: AnnouncementState) => void): void {
      for (const session of order.sessions) sayOn(session, order, tell).catch(onError);
    },
  };
}
