import type { AnnouncementOrder, AnnouncementState } from '../../announcements/announcement-requests.ts';
import type { Pcm } from '../../audio/pcm.ts';
import type { Clock } from '../../clock.ts';
import type { ResponseDone } from '../events/listen-events.ts';
import type { CurrentResponse } from '../playback/current-response.ts';
import type { OwnVoice } from '../playback/own-voice.ts';
import { breathMs, completeOwn } from './announcement.ts';

/** How often to check whether a room has become quiet. */
const pollIntervalMs = 200;
/** How long it waits for speech to finish. It cannot wait for silence, because a radio may be on. */
const maxPatienceMs = 10_000;
/** Maximum number of waiting announcements. People never send more at once. */
const maxWaiting = 4;
/** Noise may interrupt an announcement before its first word, so it is repeated once. */
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

/** Why a satellite did not say an announcement. `interrupted`: speech cut off its beginning twice. */
export type AnnouncementFailure =
  | 'muted'
  | 'too_many'
  | 'no_voice'
  | 'disconnected'
  | 'interrupted'
  | 'cancelled';

/** Receives the progress of an announcement. Only `failed` has a reason. */
export type TellAnnouncement = (state: AnnouncementState, reason?: AnnouncementFailure) => void;

/** An announcement in the language of its sender. */
export type AnnouncementWords = Pick<AnnouncementOrder, 'text' | 'language'>;

interface Waiting {
  text: string;
  sound: Pcm;
  tries: number;
  tell: TellAnnouncement;
}

/** Plays announcements on one satellite: a chime, then the words, once no one speaks or is answered. */
export function createRoomAnnouncer(options: RoomAnnouncerOptions) {
  const { clock, currentResponse, voice, chime, newTurnId, isSomeoneSpeaking, isMuted } = options;
  const waiting: Waiting[] = [];
  let expected = 0;
  let isSaying = false;
  let isStopped = false;
  let waitingSinceMs: number | null = null;
  let cancelTimeout: (() => void) | null = null;

  const later = (ms: number): void => {
    cancelTimeout?.();
    cancelTimeout = clock.after(ms, look);
  };
  const mayBegin = (): boolean => {
    if (!isSomeoneSpeaking() && !currentResponse.isPending()) return true;
    waitingSinceMs ??= clock.nowMs();
    return clock.nowMs() - waitingSinceMs >= maxPatienceMs;
  };
  const look = (): void => {
    cancelTimeout = null;
    if (isSaying || waiting.length === 0) return;
    if (!mayBegin()) {
      later(pollIntervalMs);
      return;
    }
    waitingSinceMs = null;
    if (isMuted()) {
      for (const { tell } of waiting.splice(0)) tell('failed', 'muted');
      return;
    }
    const next = waiting.shift();
    if (next) begin(next);
  };

  const begin = (next: Waiting): void => {
    const { text, sound, tell } = next;
    const id = newTurnId();
    isSaying = true;
    currentResponse.announce(id, (done) => ended(next, done));
    currentResponse.sinkOf(id)?.speak({ seq: 0, text: '', sound: chime });
    currentResponse.sinkOf(id)?.speak({ seq: 1, text, sound });
    completeOwn(currentResponse.sinkOf(id), { text, via: 'announcement', sentences: 1 });
    tell('playing');
  };

  const ended = (said: Waiting, { reason, reply }: ResponseDone): void => {
    isSaying = false;
    // A person who talks over the words has heard them. After the chime alone, nothing was heard yet.
    if (reply === '') notPlayed(said, reason);
    if (waiting.length > 0) later(breathMs);
  };

  const notPlayed = (said: Waiting, reason: ResponseDone['reason']): void => {
    const tries = said.tries + 1;
    if (isStopped) said.tell('failed', 'disconnected');
    else if (reason === 'turn_detected' && tries < maxTries) waiting.unshift({ ...said, tries });
    else said.tell('failed', reason === 'client_cancelled' ? 'cancelled' : 'interrupted');
  };

  /** A busy machine may need longer than one attempt. */
  const synthesize = async ({ text, language }: AnnouncementWords): Promise<Pcm | null> => {
    const say = () => voice.say(text, language);
    expected += 1;
    const sound = (await say()) ?? (isStopped ? null : await say());
    expected -= 1;
    return sound;
  };

  return {
    /** Queues an announcement. `tell` receives its progress. */
    async say(said: AnnouncementWords, tell: TellAnnouncement): Promise<void> {
      if (isMuted() || expected + waiting.length >= maxWaiting) {
        tell('failed', isMuted() ? 'muted' : 'too_many');
        return;
      }
      tell('waiting');
      const sound = await synthesize(said);
      if (isStopped || sound === null) {
        tell('failed', isStopped ? 'disconnected' : 'no_voice');
        return;
      }
      waiting.push({ text: said.text, sound, tries: 0, tell });
      look();
    },
    /** The satellite has disconnected. */
    stop(): void {
      isStopped = true;
      cancelTimeout?.();
      for (const { tell } of waiting.splice(0)) tell('failed', 'disconnected');
    },
  };
}
