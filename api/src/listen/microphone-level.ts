import type { Clock } from '../clock.ts';
import type { ServerEvent } from './events/listen-events.ts';

/** How long one poll keeps the level measured, in ms. The page polls more often. */
const watchedMs = 5_000;
/** How often a watched satellite is asked to send its level. */
const requestEveryMs = 2_000;
/** Window over which the level is measured. */
const momentMs = 300;
/** A level that a satellite reported longer ago than this is stale. */
const reportLastsMs = 1_500;
/** Lower bound of the level. Real microphones are never this quiet. */
const minDb = -100;

export interface Level {
  db: number;
  by: 'server' | 'satellite';
}

interface MicrophoneLevelOptions {
  clock: Clock;
  send: (event: ServerEvent) => void;
}

/**
 * Measures the level of a microphone while someone watches it. A reported level counts only while no sound
 * arrives.
 */
export function createMicrophoneLevel({ clock, send }: MicrophoneLevelOptions) {
  let untilMs = Number.NEGATIVE_INFINITY;
  let reportRequestedAtMs = Number.NEGATIVE_INFINITY;
  let reported: { db: number; atMs: number } | null = null;
  const levels: { atMs: number; squares: number; samples: number }[] = [];

  const forgetOld = (): void => {
    while (levels[0] && levels[0].atMs < clock.nowMs() - momentMs) levels.shift();
  };
  const measured = (): number | null => {
    forgetOld();
    const [squares, samples] = levels.reduce(
      ([sum, count], each) => [sum + each.squares, count + each.samples],
      [0, 0],
    );
    return samples === 0 ? null : decibels(Math.sqrt(squares / samples) / 32_768);
  };
  const requestReport = (): void => {
    if (clock.nowMs() - reportRequestedAtMs < requestEveryMs) return;
    reportRequestedAtMs = clock.nowMs();
    send({ type: 'microphone.watched', turn_id: null, for_ms: watchedMs });
  };

  return {
    /** Measures the power of a chunk while someone watches the level. */
    measure(samples: Buffer): void {
      if (clock.nowMs() > untilMs) return;
      forgetOld();
      levels.push({ atMs: clock.nowMs(), ...powerOf(samples) });
    },
    /** Records a level that the satellite reported. */
    report(db: number): void {
      reported = { db, atMs: clock.nowMs() };
    },
    /** Returns the current level and keeps measuring for a while. Null if there is no level yet. */
    watch(): Level | null {
      untilMs = clock.nowMs() + watchedMs;
      const db = measured();
      if (db !== null) return { db, by: 'server' };
      requestReport();
      const isOfNow = reported !== null && clock.nowMs() - reported.atMs < reportLastsMs;
      return reported !== null && isOfNow ? { db: reported.db, by: 'satellite' } : null;
    },
  };
}

function powerOf(samples: Buffer): { squares: number; samples: number } {
  let squares = 0;
  for (let at = 0; at + 1 < samples.length; at += 2) squares += samples.readInt16LE(at) ** 2;
  return { squares, samples: Math.floor(samples.length / 2) };
}

const decibels = (height: number): number => Math.round(10 * Math.max(minDb, 20 * Math.log10(height))) / 10;
