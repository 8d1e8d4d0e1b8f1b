/** What can be done to a session, as the engine numbers it. */
export const INPUT = { tick: 0, pause: 1, resume: 2, skip: 3, stop: 4, finish: 5, seen: 8 };

/**
 * The clocks of one moment, milliseconds: `wall` by this device, and one that is never set.
 * @typedef {{wall: number, monotonic: number}} Moment
 */

/**
 * This moment, as all who brush together are told it.
 * @returns {Moment}
 */
export const momentNow = () => ({ wall: Date.now(), monotonic: performance.now() });
