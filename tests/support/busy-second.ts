/**
 * How long something may take, in ms, that takes well under a second in a home. Other tests keep the processor busy meanwhile. What would happen
 * without the thing under test takes far longer: the end of a turn's time, or for ever. `make bench` and the tests of the whole assistant measure
 * the second itself.
 */
export const busySecondMs = 8_000;
