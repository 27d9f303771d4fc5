import { setTimeout as delay } from 'node:timers/promises';

interface WaitOptions {
  /** The awaited event, for the message if it does not come. */
  what?: string;
  /** Long enough for a busy machine; a longer wait means a fault. */
  withinMs?: number;
}

type Falsy = false | 0 | '' | null | undefined;

/** Not `void`: a function that only asserts has no truthy result. `expect.poll` is for those. */
type Waited = string | number | boolean | null | undefined | (object & { then?: never });

/** Retries until the result is truthy or the time is over. An empty file yields `0` or `''`, not a result. */
export async function waitFor<T extends Waited>(
  look: () => T | Promise<T>,
  { what, withinMs = 30_000 }: WaitOptions = {},
): Promise<Exclude<T, Falsy>> {
  const until = performance.now() + withinMs;
  const isThere = (seen: T): seen is Exclude<T, Falsy> => Boolean(seen);
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
