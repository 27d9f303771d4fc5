import type { ServerEvent } from './event.ts';
import type { KnownTimers } from './known-timers.ts';
import type { Loudspeaker, Speech } from './loudspeaker.ts';
import { ringSound } from './ring-sound.ts';

/** A restart of Hearth takes less. */
const sayAfterMs = 30_000;
const lookEveryMs = 200;
/** A minute: nobody can stop it by voice while nobody understands. */
const rounds = 24;
/** Nobody wants to be woken by a router that starts anew. */
const night = { fromHour: 22, untilHour: 7 };

interface AwayOptions {
  loudspeaker: Pick<Loudspeaker, 'begin'>;
  timers: KnownTimers;
  tell: (line: string) => void;
  /** That the house is lost, as sound; null: it could not be made while the house was there. */
  lostWords: () => Buffer | null;
  nowMs?: () => number;
  hour?: () => number;
}

export type Away = ReturnType<typeof createAway>;

/** What the satellite does by itself while the house is away: it says so once, and rings the timers that it knows. */
export function createAway(options: AwayOptions) {
  const { loudspeaker, timers, tell, lostWords } = options;
  const { nowMs = () => performance.now(), hour = () => new Date().getHours() } = options;
  let lostAtMs: number | undefined;
  let hasSaid = false;
  let ringing: Speech | undefined;
  let interval: NodeJS.Timeout | undefined;

  const say = (sound: Buffer): Speech => {
    const speech = loudspeaker.begin();
    speech.play(sound);
    speech.end();
    return speech;
  };
  const isNight = () => hour() >= night.fromHour || hour() < night.untilHour;
  /** Looks at what is to be done now. */
  const look = (): void => {
    for (const { name } of timers.takeDue()) {
      tell(`${name ? `The timer "${name}"` : 'A timer'} is over.`);
      ringing?.stop();
      ringing = say(ringSound(rounds));
    }
    if (lostAtMs === undefined || hasSaid || ringing || nowMs() - lostAtMs < sayAfterMs) return;
    hasSaid = true;
    const words = lostWords();
    if (words && !isNight()) say(words);
  };
  const back = (): void => {
    clearInterval(interval);
    [interval, lostAtMs, hasSaid] = [undefined, undefined, false];
    // Whatever is to ring, the house rings from here on.
    ringing?.stop();
    ringing = undefined;
  };

  return {
    look,
    follow(event: ServerEvent): void {
      timers.follow(event);
      if (event.type === 'session.created') back();
    },
    lost(): void {
      lostAtMs ??= nowMs();
      interval ??= setInterval(look, lookEveryMs);
    },
    /** Nothing rings any more: a button was pressed, or the program ends. */
    quiet(): void {
      ringing?.stop();
      ringing = undefined;
    },
    close: back,
  };
}
