import { announcementLimits } from '../../announcements/announcement.ts';
import type { Announcements } from '../../announcements/announcements.ts';
import type { CommunityWords } from '../../language/community/community-words.ts';
import type { TimerStore } from '../../timers/timer-store.ts';
import { type Ask, intentsOf } from '../core/skill.ts';
import type { BoundIntents, CommunitySaid } from './community-skill.ts';

const { does, tells } = intentsOf<CommunitySaid>();

interface CommunityTalkOptions {
  words: CommunityWords;
  timers: TimerStore;
  announcements: Announcements;
  timeZone: string;
}

/** The time and the date. */
export function createCommunityClock({
  words,
  timeZone,
}: Pick<CommunityTalkOptions, 'words' | 'timeZone'>): BoundIntents {
  return {
    HassGetCurrentTime: () => tells(({ turn }) => words.sayTime(turn.createdAt, timeZone)),
    HassGetCurrentDate: () => tells(({ turn }) => words.sayDate(turn.createdAt, timeZone)),
  };
}

/**
 * "Never mind", which also stops ringing timers. No greetings: the community's answers name Home Assistant.
 */
export function createCommunityTalk({
  words,
  timers,
}: Pick<CommunityTalkOptions, 'words' | 'timers'>): BoundIntents {
  const quiet = async ({ turn, beginActing }: Ask): Promise<boolean> => {
    const { id, createdAt, room, conversation } = turn;
    if ((await timers.ringing({ room, conversation })).length === 0) return false;
    await beginActing();
    const action = { turn: id, at: createdAt, kind: 'timer.quiet' } as const;
    return (await timers.acknowledge({ conversation, action }, { room, conversation })).length > 0;
  };
  return {
    HassNevermind: (response) =>
      does(async (ask) => {
        if (await quiet(ask)) return words.own.ok;
        return words.response('HassNevermind', response) ?? words.own.ok;
      }),
  };
}

/** A message to the other rooms. People hear it at once, so it cannot be undone. */
export function createCommunityAnnounce({
  words,
  announcements,
}: Pick<CommunityTalkOptions, 'words' | 'announcements'>): BoundIntents {
  const { own } = words;
  return {
    HassBroadcast: (response) => ({
      effect: 'final',
      async answer({ turn, beginActing }: Ask, { message: text }: CommunitySaid) {
        if (text === null || text.length > announcementLimits.characters) return own.cannot;
        if (announcements.isQuiet()) return own.cannot;
        await beginActing();
        const { id, room, conversation, language } = turn;
        const from = { room, conversation };
        const found = await announcements.announce({ text, language, rooms: null, from, turn: id });
        if (found === null || found.failed.length > 0) return own.unsure;
        if (found.playing.length + found.waiting.length === 0) return own.cannot;
        return words.response('HassBroadcast', response) ?? own.done;
      },
    }),
  };
}
