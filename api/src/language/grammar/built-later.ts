/** A value made in many short steps. */
export type Steps<T> = Generator<undefined, T>;

interface Build {
  /** Does one step. Returns whether it was the last. */
  step(): boolean;
  finish(): unknown;
}

/** Time for steps in one turn of the event loop, in ms. */
const sliceMs = 5;

/** The values that are not complete, the oldest first. */
const waiting = new Set<Build>();
let isBuilding = false;

/**
 * Makes a value in the background, in the order of the calls, so that the process can start before. The
 * returned function returns the value, and does the remaining steps at once. An error in the background is an
 * uncaught one.
 */
export function builtLater<T>(begin: () => Steps<T>): () => T {
  let steps: Steps<T> | null = begin();
  let made: { value: T } | { error: unknown } | null = null;
  const step = (): boolean => {
    try {
      const result = steps?.next();
      if (result?.done === true) made = { value: result.value };
    } catch (error) {
      made = { error };
    }
    if (made === null) return false;
    steps = null;
    waiting.delete(build);
    return true;
  };
  const finish = (): T => {
    while (made === null) step();
    if ('error' in made) throw made.error;
    return made.value;
  };
  const build = { step, finish };
  waiting.add(build);
  if (!isBuilding) buildInBackground();
  return finish;
}

/** Completes all values at once. Throws if one of them cannot be made. */
export function finishBuilding(): void {
  for (const build of waiting) build.finish();
}

function buildInBackground(): void {
  isBuilding = true;
  setImmediate(buildSlice).unref();
}

function buildSlice(): void {
  isBuilding = false;
  const untilMs = performance.now() + sliceMs;
  for (const build of waiting) {
    while (!build.step()) {
      if (performance.now() < untilMs) continue;
      buildInBackground();
      return;
    }
    build.finish();
  }
}
