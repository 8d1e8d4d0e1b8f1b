import { readout } from "../../elements/readout.js";
import { now } from "../../app/clock.js";
import { ageText, dayAndTime } from "../../text/dates.js";

/**
 * How long ago something was, and when that is, where the first does not say it.
 * @param {string} name
 * @param {number} at  by the hub's clock, milliseconds
 */
export function momentReadout(name, at) {
    const [age, moment] = [ageText(now() - at, at), dayAndTime(at)];
    const rest = moment.toLowerCase().startsWith(age.toLowerCase()) ? moment.slice(age.length).replace(/^[,\s]+/, "") : moment;
    return readout(name, age, null, rest || null);
}
