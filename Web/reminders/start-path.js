/**
 * Where "Start" of a reminder leads: its page, which is asked to begin at once.
 * @param {string} path  as the hub gave it, such as "/aquarium?person=ID"
 */
export function withStart(path) {
    return `${path}${path.includes("?") ? "&" : "?"}start=1`;
}
