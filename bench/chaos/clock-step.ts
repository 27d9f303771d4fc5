import { readFileSync } from 'node:fs';

/**
 * Loaded by Node before a program: its wall clock is off by as many milliseconds as the file CLOCK_STEP_FILE
 * says. The monotonic clock, timers and Redis are as they were: the clock of the machine that runs this
 * program was stepped, or differs from that of Redis.
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
      stepMs = 0; // there is no step yet
    }
  }, 100).unref();
}
