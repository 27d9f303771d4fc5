import type { Pcm } from '../../audio/pcm.ts';
import { quiet } from '../../audio/ring-tone.ts';
import type { Clock } from '../../clock.ts';
import type { ResponseDone, RunningTimer, ServerEvent } from '../events/listen-events.ts';
import type { CurrentResponse } from '../playback/current-response.ts';
import type { OwnVoice } from '../playback/own-voice.ts';
import { completeOwn } from './announcement.ts';
import { isNotAmong, roundHasWords, roundPauseMs } from './ring-rounds.ts';

/** How often to check whether a room has become quiet. */
const pollIntervalMs = 200;
/** The same for a muted loudspeaker, where the wait can take hours. */
const lookMutedEveryMs = 2_000;
/** How long a timer waits for speech to finish. It cannot wait for silence, because a radio may be on. */
const maxPatienceMs = 10_000;
/** Maximum length of a "stop" or "okay, thank you". Longer speech is a conversation or a radio. */
const maxStopMs = 2_500;

/** A timer that a satellite rings or reports. */
export interface Ring {
  id: string;
  /** Its current text, because it may contain the time. Undefined: in the household's first language. */
  words(language: string | undefined): string;
  /** It rings until it is stopped. Otherwise it is spoken once, without the tone. */
  isRinging: boolean;
  timer: RunningTimer;
  /** Called when a round of it starts. */
  onRing(): void;
  /** Called when it was spoken. */
  onTold(): void;
}

interface RingingOptions {
  clock: Clock;
  send: (event: ServerEvent) => void;
  currentResponse: CurrentResponse;
  voice: Pick<OwnVoice, 'say'>;
  /** The language that is spoken there. Undefined: the household's first one. */
  language: () => string | undefined;
  tone: Pcm;
  newTurnId: () => string;
  isSomeoneSpeaking: () => boolean;
  /** The loudspeaker is muted: it still rings, but reports no missed timers. */
  isMuted: () => boolean;
  /** Called when someone stopped the ringing by button, or by speech that could not be transcribed. */
  onStopped: () => void;
}

/**
 * Rings on one satellite. A round is a response without a request: the tone, then the words. Speech
 * interrupts it like any response. Rounds repeat until the timer is stopped.
 */
export function createRinging(options: RingingOptions) {
  const { clock, send, currentResponse, voice, language, tone, newTurnId } = options;
  const { isSomeoneSpeaking, isMuted, onStopped } = options;
  let rings: readonly Ring[] = [];
  let rounds = 0;
  let turnId: string | null = null;
  /** The current or last round. */
  let lastRound: string | null = null;
  let waitingSinceMs: number | null = null;
  let cancelTimeout: (() => void) | null = null;

  const isRinging = (): boolean => rings.some((ring) => ring.isRinging);
  const later = (ms: number): void => {
    cancelTimeout?.();
    cancelTimeout = clock.after(ms, look);
  };
  const mayRing = (): boolean => {
    if (!isSomeoneSpeaking() && !currentResponse.isPending()) return true;
    waitingSinceMs ??= clock.nowMs();
    return clock.nowMs() - waitingSinceMs >= maxPatienceMs && isRinging();
  };
  const look = (): void => {
    cancelTimeout = null;
    if (rings.length === 0 || turnId !== null) return;
    if (isMuted() && !isRinging()) {
      later(lookMutedEveryMs);
      return;
    }
    if (!mayRing()) {
      later(pollIntervalMs);
      return;
    }
    waitingSinceMs = null;
    void round(rings);
  };

  const ended = (said: readonly Ring[], { reason, reply }: ResponseDone): void => {
    turnId = null;
    // A person who talks over the words has heard them.
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
    if (sounds) currentResponse.sinkOf(id)?.speak({ seq: 0, text: '', sound: tone });
    for (const ring of now) ring.onRing();
    const words = said.map((ring) => ring.words(language()));
    for (const [at, text] of words.entries()) {
      const sound = await voice.say(text, language());
      currentResponse.sinkOf(id)?.speak({ seq: at + 1, text, sound: sound ?? quiet(pollIntervalMs) });
    }
    completeOwn(currentResponse.sinkOf(id), {
      text: words.join(' '),
      via: 'timer',
      sentences: words.length,
    });
  };

  return {
    /** Replaces the timers that ring here. An empty list ends the ringing at once. */
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
    /** Whether a timer rings here, including the pause between two rounds. */
    isRinging,
    /**
     * Handles speech that cannot be transcribed, because recognition or Redis is unavailable. Short speech
     * then stops the ringing, because people have no other way to say it. Returns whether it did.
     */
    endWith(speechMs: number): boolean {
      if (speechMs > maxStopMs || !isRinging()) return false;
      onStopped();
      return true;
    },
    /**
     * The stop button was pressed between rounds. `forRound`: the round it was meant for, by default the
     * last.
     */
    pressed(forRound?: string): void {
      if ((forRound ?? lastRound) === lastRound && isRinging()) onStopped();
    },
    /** The satellite has disconnected. */
    stop(): void {
      rings = [];
      cancelTimeout?.();
    },
  };
}
