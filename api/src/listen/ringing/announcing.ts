import type { AnnouncementPlace } from '../../announcements/announcement.ts';
import type { AnnouncementOrder, AnnouncementState } from '../../announcements/announcement-requests.ts';
import type { AnnouncementFailure, AnnouncementWords, TellAnnouncement } from './room-announcer.ts';

/** A satellite connected to this process. */
export interface AnnouncingSatellite {
  conversation: string;
  /** Says the announcement once no one is speaking there. */
  say: (said: AnnouncementWords, tell: TellAnnouncement) => Promise<void>;
}

interface AnnouncingOptions {
  /** An announcement is playing in a conversation: an answer there goes back to its sender. */
  onPlayed: (conversation: string, from: AnnouncementPlace) => Promise<void>;
  /** A satellite did not say an announcement. */
  onUnsaid: (unsaid: {
    session: string;
    conversation: string;
    reason: AnnouncementFailure | undefined;
  }) => void;
  onError: (error: unknown) => void;
}

export type Announcing = ReturnType<typeof createAnnouncing>;

/** Plays announcements on the satellites of this process that they are addressed to. */
export function createAnnouncing({ onPlayed, onUnsaid, onError }: AnnouncingOptions) {
  const satellites = new Map<string, AnnouncingSatellite>();

  /** A new connection of a satellite that has reconnected. */
  const successorOf = (session: string, conversation: string): string | undefined =>
    [...satellites].find(([id, each]) => id !== session && each.conversation === conversation)?.[0];

  const sayOn = async (
    session: string,
    order: AnnouncementOrder,
    tell: (state: AnnouncementState) => void,
  ): Promise<void> => {
    const satellite = satellites.get(session);
    if (satellite === undefined) return;
    const { conversation } = satellite;
    const failed = (reason: AnnouncementFailure | undefined): void => {
      const successor = reason === 'disconnected' ? successorOf(session, conversation) : undefined;
      if (successor !== undefined) {
        sayOn(successor, order, tell).catch(onError);
        return;
      }
      onUnsaid({ session, conversation, reason });
      tell('failed');
    };
    await satellite.say(order, (state, reason) => {
      if (state === 'failed') {
        failed(reason);
        return;
      }
      tell(state);
      const playedIn = satellites.get(session)?.conversation;
      if (state === 'playing' && order.from && playedIn) onPlayed(playedIn, order.from).catch(onError);
    });
  };

  return {
    /** Registers a satellite, or updates it after a rename. */
    put: (session: string, satellite: AnnouncingSatellite): void => void satellites.set(session, satellite),
    leave: (session: string): void => void satellites.delete(session),
    onOrder(order: AnnouncementOrder, tell: (session: string, state: AnnouncementState) => void): void {
      for (const session of order.sessions)
        sayOn(session, order, (state) => tell(session, state)).catch((error) => {
          onError(error);
          tell(session, 'failed');
        });
    },
  };
}
