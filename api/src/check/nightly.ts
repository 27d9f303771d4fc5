interface NightlyOptions {
  /** "03:30" in the household's time zone; null: never by itself. */
  at: () => string | null;
  timeZone: string;
  /** Whether it is done later on the same day if nothing ran at its time. */
  catchesUp?: boolean;
  /** True for one process of all that ask on this day. */
  isOurs: (day: string) => Promise<boolean>;
  run: () => Promise<unknown>;
  onError: (error: unknown) => void;
  now?: () => number;
}

/** Often enough that no minute is missed, however busy the process is. */
const lookEveryMs = 20_000;

/** Does something once a day when its time has come. */
export function startNightly({
  at,
  timeZone,
  catchesUp = false,
  isOurs,
  run,
  onError,
  now = Date.now,
}: NightlyOptions) {
  const clock = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
    hourCycle: 'h23',
  });

  /** The last day that was given to this process or to another one. */
  let lookedOn = '';
  const look = async (): Promise<void> => {
    const [day = '', time = ''] = clock.format(now()).split(', ');
    const wanted = at();
    const isDue = wanted !== null && (catchesUp ? time >= wanted : time === wanted);
    if (!isDue || day === lookedOn) return;
    const isOurDay = await isOurs(day);
    lookedOn = day;
    if (isOurDay) await run();
  };
  const timer = setInterval(() => look().catch(onError), lookEveryMs).unref();
  return { look, stop: () => clearInterval(timer) };
}
