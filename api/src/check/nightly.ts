interface NightlyOptions {
  /** "03:30" in the household's time zone; null: never by itself. */
  at: () => string | null;
  timeZone: string;
  /** True for one process of all that ask on this day. */
  isOurs: (day: string) => Promise<boolean>;
  run: () => Promise<unknown>;
  onError: (error: unknown) => void;
  now?: () => number;
}

/** Often enough that no minute is missed, however busy the process is. */
const lookEveryMs = 20_000;

/** Checks once a day when its time has come. */
export function startNightly({ at, timeZone, isOurs, run, onError, now = Date.now }: NightlyOptions) {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  });

  const look = async (): Promise<void> => {
    const [day = '', time = ''] = clock.format(now()).split(', ');
    if (time !== at() || !(await isOurs(day))) return;
    await run();
  };
  const timer = setInterval(() => look().catch(onError), lookEveryMs).unref();
  return { look, stop: () => clearInterval(timer) };
}
