import type { AnnouncementState } from '../announcements/announcement-requests.ts';
import { durationMs, type Pcm } from '../audio/pcm.ts';
import { joinSpeech } from '../audio/speech-join.ts';
import type { Clock } from '../clock.ts';
import { isNotAmong, roundHasWords, roundPauseMs } from '../listen/ringing/ring-rounds.ts';
import type { Ring } from '../listen/ringing/ringing.ts';
import type { AnnouncementWords } from '../listen/ringing/room-announcer.ts';

/** Delay before trying again while the voice device is in use. */
const busyEveryMs = 1_000;
/** Delay before trying again after a failure of Home Assistant or the speaker. */
const retryDelayMs = 5_000;
/** Pause between the tone and the words, and between two sentences. */
const breathMs = 150;
/** Maximum number of waiting announcements. People never send more at once. */
const maxWaiting = 4;

/** Outcome of a playback. `played`: the sound was downloaded. `busy`: the speaker rejected it for now. */
export type PlayEnd = 'played' | 'busy' | 'failed';

interface HomeSpeakerOptions {
  clock: Clock;
  /** Synthesizes a sentence. Null if no voice is available. */
  say: (text: string, language?: string) => Promise<Pcm | null>;
  tone: Pcm;
  chime: Pcm;
  /** Plays a sound. `onBegin` is called when its download begins. Never rejects. */
  play: (sound: Pcm, text: string, onBegin: () => void) => Promise<PlayEnd>;
  /** Stops playback. */
  hush: () => void;
}

export type HomeSpeakerSound = ReturnType<typeof createHomeSpeakerSound>;

/**
 * Rings and announces on a speaker of Home Assistant: one sound at a time. The ringing repeats until it is
 * stopped.
 */
export function createHomeSpeakerSound({ clock, say, tone, chime, play, hush }: HomeSpeakerOptions) {
  let rings: readonly Ring[] = [];
  const announcements: (AnnouncementWords & { tell: (state: AnnouncementState) => void })[] = [];
  let rounds = 0;
  let playing: 'round' | 'announcement' | null = null;
  let cancelTimeout = (): void => undefined;
  let isStopped = false;

  const later = (ms: number): void => {
    cancelTimeout();
    if (!isStopped) cancelTimeout = clock.after(ms, next);
  };
  const next = (): void => {
    if (playing !== null || isStopped) return;
    if (announcements.length > 0) void announce();
    else if (rings.length > 0) void round();
  };
  const playThrough = createPlayThrough({ clock, play });

  const playRound = async (now: readonly Ring[], texts: readonly string[]): Promise<PlayEnd> => {
    const words = (await Promise.all(texts.map((text) => say(text)))).filter((each) => each !== null);
    // Without a voice, it is only the tone.
    const sound = await joined(now.some((ring) => ring.isRinging) ? [tone, ...words] : words);
    // It may have been stopped meanwhile.
    if (sound === null || now.every(isNotAmong(rings))) return 'failed';
    return playThrough(sound, texts.join(' '), () => {
      for (const ring of now) ring.onRing();
    });
  };
  const round = async (): Promise<void> => {
    playing = 'round';
    const now = rings;
    const announced = roundHasWords(
      rounds,
      now.some(({ isRinging }) => isRinging),
    )
      ? now
      : [];
    const words = announced.map((ring) => ring.words(undefined));
    const end = await playRound(now, words);
    playing = null;
    if (end === 'played') {
      rounds += 1;
      for (const ring of announced) ring.onTold();
    }
    if (announcements.length > 0) later(breathMs);
    else if (rings.length > 0) later({ played: roundPauseMs, busy: busyEveryMs, failed: retryDelayMs }[end]);
  };

  const announce = async (): Promise<void> => {
    const said = announcements.shift();
    if (said === undefined) return;
    playing = 'announcement';
    const words = await say(said.text, said.language);
    const sound = words && (await joined([chime, words]));
    const end = sound ? await playThrough(sound, said.text, () => said.tell('playing')) : 'failed';
    playing = null;
    if (end === 'busy') announcements.unshift(said);
    if (end === 'failed') said.tell('failed');
    later(end === 'busy' ? busyEveryMs : breathMs);
  };

  return {
    /** Replaces the timers that ring here. An empty list ends the ringing at once. */
    ring(now: readonly Ring[]): void {
      const news = now.filter(isNotAmong(rings));
      const isLess = rings.some(isNotAmong(now));
      rings = now;
      if (news.length > 0 || now.length === 0) rounds = 0;
      if (isLess && playing === 'round') hush();
      if (news.length > 0) next();
    },
    /** Queues an announcement. `tell` receives its progress. */
    async announce(said: AnnouncementWords, tell: (state: AnnouncementState) => void): Promise<void> {
      if (isStopped || announcements.length >= maxWaiting) {
        tell('failed');
        return;
      }
      tell('waiting');
      announcements.push({ ...said, tell });
      next();
    },
    /** The speaker is gone, or another process holds it. */
    stop(): void {
      isStopped = true;
      cancelTimeout();
      if (playing === 'round') hush();
      rings = [];
    },
  };
}

/** Plays a sound and waits for its end, because a player answers at once. */
function createPlayThrough({ clock, play }: Pick<HomeSpeakerOptions, 'clock' | 'play'>) {
  return async (sound: Pcm, text: string, onBegin: () => void): Promise<PlayEnd> => {
    let begunAtMs: number | null = null;
    const end = await play(sound, text, () => {
      begunAtMs = clock.nowMs();
      onBegin();
    });
    if (begunAtMs === null) return end;
    const leftMs = begunAtMs + durationMs(sound) - clock.nowMs();
    if (leftMs > 0) await new Promise<void>((resolve) => clock.after(leftMs, resolve));
    return end;
  };
}

async function joined(sounds: readonly Pcm[]): Promise<Pcm | null> {
  return sounds.length === 0 ? null : joinSpeech(sounds.map((sound) => ({ sound, pauseMs: breathMs })));
}
