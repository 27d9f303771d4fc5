import { readFileSync } from 'node:fs';

/**
 * Node loads this before a program. It shifts the program's wall clock by the milliseconds in
 * CLOCK_STEP_FILE. The monotonic clock, timers and Redis do not change. Only the wall clock of this machine
 * does.
 */
const file = process.env['CLOCK_STEP_FILE'];
const RealDate = Date;
let stepMs = 0;

class SteppedDate extends RealDate {
  constructor(...given: ConstructorParameters<typeof Date> | []) {
    if (given.length === 0) super(SteppedDate.now());
    else super(...given);
  }
  static override now(): number {
    return RealDate.now() + stepMs;
  }
}

if (file) {
  globalThis.Date = new Proxy(SteppedDate, { apply: () => new SteppedDate().toString() }) as DateConstructor;
  setInterval(() => {
    try {
      stepMs = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      stepMs = 0; // No step yet.
    }
  }, 100).unref();
}
