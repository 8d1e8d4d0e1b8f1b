/**
 * The clocks of one moment, milliseconds: `wall` by this device, and one that is never set.
 * @typedef {{wall: number, monotonic: number}} Moment
 */

/**
 * This moment, as all who brush together are told it.
 * @returns {Moment}
 */
export const momentNow = () => ({ wall: Date.now(), monotonic: performance.now() });
