/**
 * Limit, in ms, for steps that take well under a second in a home; other tests keep the processor busy. A
 * missing feature would take far longer: the turn's whole time limit, or for ever. `make bench` and the tests
 * of the whole assistant measure the second itself.
 */
export const busySecondMs = 8_000;
