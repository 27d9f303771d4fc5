import type { Pcm } from '../audio/pcm.ts';
import { quiet } from '../audio/ring-tone.ts';
import { completeOwn } from './announcement.ts';
import type { Clock } from './clock.ts';
import type { CurrentResponse } from './current-response.ts';
import type { ResponseDone, RunningTimer, ServerEvent } from './listen-events.ts';
import type { OwnVoice } from './own-voice.ts';
import { isNotAmong, roundHasWords, roundPauseMs } from './ring-rounds.ts';

/** How often to look whether a room has become quiet. */
const lookEveryMs = 200;
/** The same while the loudspeaker is muted, where it takes hours. */
const lookMutedEveryMs = 2_000;
/** A timer waits this long for people or the assistant to finish speaking. It cannot wait for silence: a radio may be on. */
const maxPatienceMs = 10_000;
/** A "stop" or an "okay, thank you" is no longer than this. Longer speech is a talk, or a radio. */
const maxStopMs = 2_500;

/** A timer that a satellite rings for, or tells of. */
export interface Ring {
  id: string;
  /** Its words at this moment: they may tell the time. */
  words(): string;
  /** It rings until it is stopped; otherwise it is said once, without the tone. */
  isRinging: boolean;
  timer: RunningTimer;
  /** It is heard now. */
  onRing(): void;
  /** All of it was heard. */
  onTold(): void;
}

interface RingingOptions {
  clock: Clock;
  send: (event: ServerEvent) => void;
  currentResponse: CurrentResponse;
  voice: Pick<OwnVoice, 'say'>;
  tone: Pcm;
  newTurnId: () => string;
  isSomeoneSpeaking: () => boolean;
  /** The loudspeaker is muted: it rings, and tells of nothing else. */
  isMuted: () => boolean;
  /** Somebody has stopped the ringing: with the button, or with speech that could not be transcribed. */
  onStopped: () => void;
}

export type Ringing = ReturnType<typeof createRinging>;

/**
 * Rings on one satellite. A round is a response that nobody asked for: the tone, then the words. Speech cuts it off like any other response.
 * After that it begins again, until the timer is stopped.
 */
export function createRinging(options: RingingOptions) {
  const { clock, send, currentResponse, voice, tone, newTurnId, isSomeoneSpeaking, isMuted, onStopped } =
    options;
  let rings: readonly Ring[] = [];
  let rounds = 0;
  let turnId: string | null = null;
  /** The round that is heard, or was heard last. */
  let lastRound: string | null = null;
  let waitingSinceMs: number | null = null;
  let callOff: (() => void) | null = null;

  const isRinging = (): boolean => rings.some((ring) => ring.isRinging);
  const later = (ms: number): void => {
    callOff?.();
    callOff = clock.after(ms, look);
  };
  const mayRing = (): boolean => {
    if (!isSomeoneSpeaking() && !currentResponse.isPending()) return true;
    waitingSinceMs ??= clock.nowMs();
    return clock.nowMs() - waitingSinceMs >= maxPatienceMs && isRinging();
  };
  const look = (): void => {
    callOff = null;
    if (rings.length === 0 || turnId !== null) return;
    if (isMuted() && !isRinging()) {
      later(lookMutedEveryMs);
      return;
    }
    if (!mayRing()) {
      later(lookEveryMs);
      return;
    }
    waitingSinceMs = null;
    void round(rings);
  };

  const ended = (said: readonly Ring[], { reason, reply }: ResponseDone): void => {
    turnId = null;
    // A person who talks over it has heard it.
    if (reply !== '') for (const ring of said) ring.onTold();
    if (reason === 'client_cancelled' && rings.length > 0) onStopped();
    if (rings.length > 0) later(roundPauseMs);
  };

  const round = async (now: readonly Ring[]): Promise<void> => {
    const id = newTurnId();
    turnId = id;
    lastRound = id;
    const sounds = now.some((ring) => ring.isRinging);
    const said = roundHasWords(rounds, sounds) ? now : [];
    rounds += 1;
    currentResponse.announce(id, (done) => ended(said, done), { rings: sounds });
    if (sounds) currentResponse.takerOf(id)?.speak({ seq: 0, text: '', sound: tone });
    for (const ring of now) ring.onRing();
    const words = said.map((ring) => ring.words());
    for (const [at, text] of words.entries()) {
      const sound = await voice.say(text);
      currentResponse.takerOf(id)?.speak({ seq: at + 1, text, sound: sound ?? quiet(lookEveryMs) });
    }
    completeOwn(currentResponse.takerOf(id), {
      text: words.join(' '),
      via: 'timer',
      sentences: words.length,
    });
  };

  return {
    /** Rings these from now on. None: it is quiet at once. */
    set(next: readonly Ring[]): void {
      const news = next.filter(isNotAmong(rings));
      const isLess = rings.some(isNotAmong(next));
      rings = next;
      for (const { timer } of news.filter(({ isRinging }) => isRinging)) {
        send({ type: 'timer.finished', turn_id: null, timer });
      }
      if (news.length > 0 || next.length === 0) rounds = 0;
      if (next.length === 0) waitingSinceMs = null;
      if (isLess && turnId !== null) currentResponse.cancel('acknowledged', turnId);
      if (news.length > 0 && turnId === null) look();
    },
    /** A timer rings here, also between two rounds. */
    isRinging,
    /**
     * Something was said that cannot be transcribed, because the recognition or Redis is away. While a timer rings, a word or two then count as
     * "stop": people have no other way to say it. Returns whether they did.
     */
    endWith(speechMs: number): boolean {
      if (speechMs > maxStopMs || !isRinging()) return false;
      onStopped();
      return true;
    },
    /** The stop button was pressed while nothing is said: for the round that is over (without one: for whatever there is). */
    pressed(forRound?: string): void {
      if ((forRound ?? lastRound) === lastRound && isRinging()) onStopped();
    },
    /** The satellite has gone. */
    stop(): void {
      rings = [];
      callOff?.();
    },
  };
}
