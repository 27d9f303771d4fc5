import type { AnnouncementState } from '../announcements/announcement-post.ts';
import type { Pcm } from '../audio/pcm.ts';
import { breathMs, completeOwn } from './announcement.ts';
import type { Clock } from './clock.ts';
import type { CurrentResponse } from './current-response.ts';
import type { ResponseDone } from './listen-events.ts';
import type { OwnVoice } from './own-voice.ts';

/** How often to look whether a room has become quiet. */
const lookEveryMs = 200;
/** So long it waits for people or the assistant to finish speaking. It cannot wait for silence: a radio may be on. */
const maxPatienceMs = 10_000;
/** More at once is nothing that people do. */
const maxWaiting = 4;
/** A noise may cut it off before a word of it was heard. */
const maxTries = 2;

interface RoomAnnouncerOptions {
  clock: Clock;
  currentResponse: CurrentResponse;
  voice: Pick<OwnVoice, 'say'>;
  chime: Pcm;
  newTurnId: () => string;
  isSomeoneSpeaking: () => boolean;
  isMuted: () => boolean;
}

interface Waiting {
  text: string;
  sound: Pcm;
  tries: number;
  tell: (state: AnnouncementState) => void;
}

/** Says on one satellite what another room wants it to hear: a chime, then the words, when nobody speaks or is answered. */
export function createRoomAnnouncer(options: RoomAnnouncerOptions) {
  const { clock, currentResponse, voice, chime, newTurnId, isSomeoneSpeaking, isMuted } = options;
  const waiting: Waiting[] = [];
  let expected = 0;
  let isSaying = false;
  let waitingSinceMs: number | null = null;
  let callOff: (() => void) | null = null;

  const later = (ms: number): void => {
    callOff?.();
    callOff = clock.after(ms, look);
  };
  const mayBegin = (): boolean => {
    if (!isSomeoneSpeaking() && !currentResponse.isPending()) return true;
    waitingSinceMs ??= clock.nowMs();
    return clock.nowMs() - waitingSinceMs >= maxPatienceMs;
  };
  const look = (): void => {
    callOff = null;
    if (isSaying || waiting.length === 0) return;
    if (!mayBegin()) {
      later(lookEveryMs);
      return;
    }
    waitingSinceMs = null;
    const next = waiting.shift();
    if (next) begin(next);
  };

  const begin = (next: Waiting): void => {
    const { text, sound, tell } = next;
    const id = newTurnId();
    isSaying = true;
    currentResponse.announce(id, (done) => ended(next, done));
    currentResponse.takerOf(id)?.speak({ seq: 0, text: '', sound: chime });
    currentResponse.takerOf(id)?.speak({ seq: 1, text, sound });
    completeOwn(currentResponse.takerOf(id), { text, via: 'announcement', sentences: 1 });
    tell('playing');
  };

  const ended = (said: Waiting, { reason, reply }: ResponseDone): void => {
    isSaying = false;
    const tries = said.tries + 1;
    // Whoever talks over the words has heard them. Over the chime alone nobody has heard anything.
    if (reason === 'turn_detected' && reply === '' && tries < maxTries) waiting.unshift({ ...said, tries });
    if (waiting.length > 0) later(breathMs);
  };

  return {
    /** Says it in the room's own time. `tell` hears how far it is. */
    async say(text: string, tell: (state: AnnouncementState) => void): Promise<void> {
      if (isMuted() || expected + waiting.length >= maxWaiting) {
        tell('failed');
        return;
      }
      tell('waiting');
      expected += 1;
      const sound = await voice.say(text);
      expected -= 1;
      if (sound === null) {
        tell('failed');
        return;
      }
      waiting.push({ text, sound, tries: 0, tell });
      look();
    },
    /** The satellite has gone. */
    stop(): void {
      waiting.length = 0;
      callOff?.();
    },
  };
}
