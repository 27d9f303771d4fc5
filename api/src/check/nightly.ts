interface NightlyOptions {
  /** Local time such as "03:30", or `never`. */
  at: () => string;
  timeZone: string;
  /** Whether a missed run is made up for later on the same day. */
  catchesUp?: boolean;
  /** Resolves to true for one process per day. */
  isOurs: (day: string) => Promise<boolean>;
  run: () => Promise<unknown>;
  onError: (error: unknown) => void;
  now?: () => number;
}

/** Short enough to hit every minute, even in a busy process. */
const pollIntervalMs = 20_000;

/** Runs a task once a day at a given time. */
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

  /** The last day that some process has claimed. */
  let lookedOn = '';
  const look = async (): Promise<void> => {
    const [day = '', time = ''] = clock.format(now()).split(', ');
    const wanted = at();
    const isDue = wanted !== 'never' && (catchesUp ? time >= wanted : time === wanted);
    if (!isDue || day === lookedOn) return;
    const isOurDay = await isOurs(day);
    lookedOn = day;
    if (isOurDay) await run();
  };
  const timer = setInterval(() => look().catch(onError), pollIntervalMs).unref();
  return { look, stop: () => clearInterval(timer) };
}
