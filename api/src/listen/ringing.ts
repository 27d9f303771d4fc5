import type { Pcm } from '../audio/pcm.ts';
import { quiet } from '../audio/ring-tone.ts';
import type { Clock } from './clock.ts';
import type { CurrentResponse } from './current-response.ts';
import type { ResponseDone, RunningTimer, ServerEvent } from './listen-events.ts';
import type { OwnVoice } from './own-voice.ts';

/** From the end of one round to the next, for whoever wants to say "stop". */
const pauseMs = 4_000;
/** How often a room is looked at that is not quiet yet. */
const lookEveryMs = 200;
/** So long a timer waits for whoever speaks there, the assistant included; with a radio on it would never be quiet. */
const mostPatienceMs = 10_000;
/** The words come in these rounds, and in every so many-th after; the others are the tone alone. */
const roundsWithWords = 2;
const wordsEvery = 4;
/** A "stop", an "okay, thank you": longer than this somebody talks, or a radio. */
const mostStopMs = 2_500;

/** Something that this satellite is to tell of a timer. */
export interface Ring {
  id: string;
  /** What it says at this moment. */
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
  /** Somebody has stopped what rings: by the button, or by a word that nobody could understand. */
  onStopped: () => void;
}

export type Ringing = ReturnType<typeof createRinging>;

/**
 * What rings on one satellite. A round is a response that nobody asked for: the tone, then the words; whoever speaks cuts it off like any other,
 * and after what was said then it begins again, until the timer is stopped.
 */
export function createRinging(options: RingingOptions) {
  const { clock, send, currentResponse, voice, tone, newTurnId, isSomeoneSpeaking, onStopped } = options;
  let rings: readonly Ring[] = [];
  let rounds = 0;
  let turnId: string | null = null;
  let waitingSinceMs: number | null = null;
  let callOff: (() => void) | null = null;

  const later = (ms: number): void => {
    callOff?.();
    callOff = clock.after(ms, look);
  };
  const mayRing = (): boolean => {
    if (!isSomeoneSpeaking() && !currentResponse.isPending()) return true;
    waitingSinceMs ??= clock.nowMs();
    return clock.nowMs() - waitingSinceMs >= mostPatienceMs && rings.some(({ isRinging }) => isRinging);
  };
  const look = (): void => {
    callOff = null;
    if (rings.length === 0 || turnId !== null) return;
    if (!mayRing()) {
      later(lookEveryMs);
      return;
    }
    waitingSinceMs = null;
    void round(rings);
  };

  const ended = (said: readonly Ring[], { reason, reply }: ResponseDone): void => {
    turnId = null;
    // Whoever talks over it has heard it.
    if (reply !== '') for (const ring of said) ring.onTold();
    if (reason === 'client_cancelled' && rings.length > 0) onStopped();
    if (rings.length > 0) later(pauseMs);
  };

  const round = async (now: readonly Ring[]): Promise<void> => {
    const id = newTurnId();
    turnId = id;
    const isRinging = now.some((ring) => ring.isRinging);
    const hasWords = !isRinging || rounds < roundsWithWords || rounds % wordsEvery === 0;
    const said = hasWords ? now : [];
    rounds += 1;
    currentResponse.announce(id, (done) => ended(said, done));
    if (isRinging) currentResponse.takerOf(id)?.speak({ seq: 0, text: '', sound: tone });
    for (const ring of now) ring.onRing();
    const words = said.map((ring) => ring.words());
    for (const [at, text] of words.entries()) {
      const sound = await voice.say(text);
      currentResponse.takerOf(id)?.speak({ seq: at + 1, text, sound: sound ?? quiet(lookEveryMs) });
    }
    currentResponse.takerOf(id)?.complete({
      text: words.join(' '),
      heard: null,
      via: 'timer',
      finish: 'stop',
      usage: null,
      timings: {},
      sentences: words.length,
    });
  };

  return {
    /** What rings here from now on; nothing: it is quiet at once. */
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
    /**
     * Something was said that nobody could understand, for the recognition or Redis is away. A word or two into the ringing are a "stop" then:
     * there is no other way to say it. Returns whether they were.
     */
    endWith(speechMs: number): boolean {
      if (speechMs > mostStopMs || !rings.some(({ isRinging }) => isRinging)) return false;
      onStopped();
      return true;
    },
    /** Nobody is there any more. */
    stop(): void {
      rings = [];
      callOff?.();
    },
  };
}

function isNotAmong(rings: readonly Ring[]): (ring: Ring) => boolean {
  return ({ id }) => !rings.some((ring) => ring.id === id);
}
