import { overWords } from './conversation.ts';
import type { ServerEvent } from './event.ts';
import type { KnownTimers } from './known-timers.ts';
import type { Loudspeaker, Speech } from './loudspeaker.ts';
import { ringSound } from './ring-sound.ts';

/** A restart of Hearth takes less time than this. */
const sayAfterMs = 30_000;
const pollIntervalMs = 200;
/** About a minute of ringing, because no voice command can stop it while the server is away. */
const rounds = 24;
/** Hours without announcements: a router that restarts at night must not wake the household. */
const night = { fromHour: 22, untilHour: 7 };

interface AwayOptions {
  loudspeaker: Pick<Loudspeaker, 'begin'>;
  timers: KnownTimers;
  tell: (line: string) => void;
  /** A recorded sentence that the server is unreachable. Null: it could not be made while connected. */
  lostWords: () => Buffer | null;
  /** Called when a timer starts to ring here. */
  onRing: () => void;
  nowMs?: () => number;
  hour?: () => number;
}

export type Away = ReturnType<typeof createAway>;

/** Acts while the server is unreachable: announces the loss once, and rings the known timers. */
export function createAway(options: AwayOptions) {
  const { loudspeaker, timers, tell, lostWords, onRing } = options;
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
  /** Rings due timers and announces the loss if it is time. */
  const look = (): void => {
    for (const { name } of timers.takeDue()) {
      tell(overWords(name));
      ringing?.stop();
      ringing = say(ringSound(rounds));
      onRing();
    }
    if (lostAtMs === undefined || hasSaid || ringing || nowMs() - lostAtMs < sayAfterMs) return;
    hasSaid = true;
    const words = lostWords();
    if (words && !isNight()) say(words);
  };
  const back = (): void => {
    clearInterval(interval);
    [interval, lostAtMs, hasSaid] = [undefined, undefined, false];
    // From here on, the server rings the timers.
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
      interval ??= setInterval(look, pollIntervalMs);
    },
    /** Stops the ringing after a button press or at the end of the program. */
    quiet(): void {
      ringing?.stop();
      ringing = undefined;
    },
    close: back,
  };
}
