import { setTimeout as delay } from 'node:timers/promises';

interface WaitOptions {
  /** The awaited event, for the message if it does not come. */
  what?: string;
  /** Long enough for a busy machine; a longer wait means a fault. */
  withinMs?: number;
}

/** Retries until the result is not `false` or the time is over. */
export async function waitFor<T>(
  look: () => T | Promise<T>,
  { what, withinMs = 30_000 }: WaitOptions = {},
): Promise<Exclude<T, false>> {
  const until = performance.now() + withinMs;
  const isThere = (seen: T): seen is Exclude<T, false> => seen !== false;
  for (;;) {
    let why: unknown = 'not so';
    try {
      const seen = await look();
      if (isThere(seen)) return seen;
    } catch (error) {
      why = error;
    }
    if (performance.now() > until) {
      throw new Error(`waited ${withinMs} ms in vain${what ? ` for: ${what}` : ''}`, { cause: why });
    }
    await delay(10);
  }
}
