const KEY = "tandem.drums.links";

/**
 * What this device keeps of its drums, since it is about the device and its drums and not about who plays:
 *
 * - `last`: which were used last, `{kind, id, name}`
 * - `latency`: by kind of link, what calibration found, in tenths of a millisecond: `{median, lower, upper, count, at}`
 * - `heard`: by kind of link, what lies between a sound and the tap to it, likewise, its median alone
 * - `measured`: by kind of link, what the last session measured of a kit with a clock of its own, likewise
 * - `maps`: by name of a MIDI device, which note is which drum, as the engine's bytes
 * - `crosstalk`: by name of a MIDI device, what each pad may feel of the others: `[{milliseconds, percent}]`, by drum
 *
 * A browser that keeps nothing forgets it with the page.
 */
let held = null;

function all() {
    if (held) return held;
    try {
        held = JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
        held = {};
    }
    return held;
}

function store(name, value) {
    held = { ...all(), [name]: value };
    try {
        localStorage.setItem(KEY, JSON.stringify(held));
    } catch {
        // Full, or a browser that keeps nothing.
    }
}

/** Which drums were used last here, `{kind, id, name}`, or null. */
export const lastUsed = () => all().last ?? null;

/**
 * Remembers which are used.
 * @param {{kind: number, id: string?, name: string}} link
 */
export const keepLast = (link) => store("last", link);

/** What a link takes, tenths of a millisecond, as calibration found it on this device; 0 where it was not done. */
export const latencyOf = (kind) => Math.max(0, all().latency?.[kind]?.median ?? 0);

/** What calibration found, with its quartiles and count, or null. */
export const calibrated = (kind) => all().latency?.[kind] ?? null;

/**
 * Keeps what calibration found of a link, in tenths of a millisecond.
 * @param {{median: number, lower: number, upper: number, count: number, at: number}} found
 */
export const keepCalibration = (kind, found) => store("latency", { ...all().latency, [kind]: found });

/** From sound to hit: what a tap to music comes late by, tenths of a millisecond, as calibration found it; 0: not known. */
export const heardLatencyOf = (kind) => Math.max(0, all().heard?.[kind] ?? 0);

/**
 * Keeps that.
 * @param {number} tenths
 */
export const keepHeard = (kind, tenths) => store("heard", { ...all().heard, [kind]: tenths });

/** What the last session measured of a link, or null. */
export const measuredOf = (kind) => all().measured?.[kind] ?? null;

/** Keeps what a session measured of a link. */
export const keepMeasured = (kind, found) => store("measured", { ...all().measured, [kind]: found });

/**
 * Which note of a MIDI device is which drum, or null where it was never taught.
 * @returns {number[]?}
 */
export const mapOf = (name) => all().maps?.[name] ?? null;

/**
 * Keeps which note is which drum.
 * @param {string} name
 * @param {number[]} map  bytes
 */
export const keepMap = (name, map) => store("maps", { ...all().maps, [name]: map });

/** What holds for a pad of which nothing else is known, as the engine has it. */
export const USUAL_CROSSTALK = { milliseconds: 20, percent: 40 };

/**
 * What each pad of a MIDI device may feel of the others, or null where nothing was said.
 * @param {string} [name]
 * @returns {Array<{milliseconds: number, percent: number}>?}
 */
export const crosstalkOf = (name) => (name && all().crosstalk?.[name]) || null;

/**
 * Keeps that.
 * @param {string} name
 * @param {Array<{milliseconds: number, percent: number}>} pads  by drum
 */
export const keepCrosstalk = (name, pads) => store("crosstalk", { ...all().crosstalk, [name]: pads });
