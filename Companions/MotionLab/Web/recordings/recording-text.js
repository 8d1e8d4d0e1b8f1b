import { shortDayAndTime } from "../../text/dates.js";
import { durationText } from "../../text/durations.js";
import { number } from "../../text/numbers.js";
import { t } from "../../language/text.js";

/** When it was. @param {number} at  UTC milliseconds */
export const dateTime = (at) => shortDayAndTime(at);

/** What is measured, in words. @param {string} sensor  as the hub names it */
export const sensorName = (sensor) => SENSORS[sensor] ?? sensor;

const SENSORS = {
    accelerometer: t`Acceleration`, linearAcceleration: t`Acceleration without gravity`, gravity: t`Gravity`,
    gyroscope: t`Rotation`, magnetometer: t`Magnetic field`, barometer: t`Air pressure`, altitude: t`Height`,
    orientation: t`Orientation`, sound: t`Sound level`, light: t`Brightness`, steps: t`Steps`, temperature: t`Temperature`,
    humidity: t`Humidity`,
};

/** In what a sensor's values are, as the engine has them; nothing where they have no unit. @param {string} sensor */
export const sensorUnit = (sensor) => SENSOR_UNITS[sensor] ?? "";

const SENSOR_UNITS = {
    accelerometer: "g", linearAcceleration: "g", gravity: "g", gyroscope: "rad/s", magnetometer: "µT", barometer: "kPa",
    altitude: "m", sound: "dB", light: "lx", temperature: "°C", humidity: "%",
};

/** Several names as one: in English those after the first begin small, German nouns keep their capital. */
export const inOneLine = (names) => names.map((name, i) => (
    i > 0 && document.documentElement.lang.startsWith("en") ? name[0].toLowerCase() + name.slice(1) : name)).join(", ");

/** The five that the lab comes with, by their slugs. */
export const EXPERIMENTS = {
    pendulum: t`Pendulum`, "free-fall": t`Free fall`, lift: t`Lift ride`, spin: t`Centripetal spin`, "room-sound": t`Sound of a room`,
};

/**
 * What a recording is called: its name, else its experiment, else its sensors.
 * @param {{name: string, experiment: string, streams: Array<{samples: number, sensor: string}>}} recording
 */
export function nameOf({ name, experiment, streams }) {
    if (name) return name;
    if (experiment) return EXPERIMENTS[experiment] ?? experiment;
    const sensors = streams.filter(({ samples }) => samples > 0).map(({ sensor }) => sensorName(sensor));
    return sensors.length > 0 ? inOneLine(sensors.slice(0, 3)) : t`An empty recording`;
}

/**
 * Who measured along in a class.
 * @param {{number: number, name?: string}} guest
 */
export const nameOfGuest = ({ name, number: place }) => (name ? `${name} (${place})` : t`Number ${place}`);

/** How long it is. */
export function lengthOf({ startMicroseconds, endMicroseconds }) {
    const seconds = (endMicroseconds - startMicroseconds) / 1e6;
    return seconds < 90 ? t`${number(seconds, seconds < 10 ? 1 : 0)} s` : durationText(seconds);
}

/**
 * Whose it is.
 * @param {{person?: string, origin: string, guest?: {number: number, name?: string}}} recording
 * @param {{people: Array<{id: string, name: string}>}} known
 */
export function whoseText({ person, origin, guest }, { people }) {
    if (guest) return guest.name ? t`${guest.name}, in a class` : t`Number ${guest.number}, in a class`;
    const name = people.find(({ id }) => id === person)?.name;
    if (name) return origin === "file" ? t`${name}, from a file` : name;
    return origin === "push" ? t`A phone’s app` : null;
}
