/*
 * What the engine says of a session, by its numbers, and read from its bytes: Browser/SessionExports.swift has their order.
 */
const NONE = -2147483648;
const BEAT = 28; // bytes, and its wrong drums behind them
const DISTRIBUTIONS = ["reaction", "force", "latency", "timing"]; // in the engine's order

/**
 * The engine counts microseconds, a page milliseconds.
 * @param {number} milliseconds
 */
export const micros = (milliseconds) => milliseconds * 1000;

/**
 * The word for a number of one of these.
 * @param {Object<string, number>} names
 * @param {number} number
 */
export const nameOf = (names, number) => Object.keys(names).find((name) => names[name] === number);

/**
 * The beats that were judged, from an index on.
 * @param {object} engine  see engine/engine.js
 * @returns {Array<{step: number, drum: number, verdict: number, link: number, side: number, reaction: number?,
 *   error: number?, force: number?, waited: number, isPlausible: boolean, wrong: number[]}>}  milliseconds
 */
export function beats(engine, index = 0) {
    const all = engine.answer(engine.call.beats(index));
    const found = [];
    for (let begin = 0; begin < all.length; begin += BEAT + all[begin + 25]) {
        const bytes = all.subarray(begin, begin + BEAT + all[begin + 25]);
        const view = new DataView(bytes.buffer, bytes.byteOffset);
        const known = (at, scale = 1) => (view.getInt32(at, true) === NONE ? null : view.getInt32(at, true) / scale);
        found.push({
            step: view.getInt32(0, true), drum: bytes[4], verdict: bytes[5], link: bytes[6], side: bytes[7],
            reaction: known(8), error: known(12), force: known(16, 100), waited: view.getInt32(20, true),
            isPlausible: bytes[24] === 1, wrong: [...bytes.subarray(BEAT)],
        });
    }
    return found;
}

/**
 * Of `reaction`, `force`, `latency` and `timing` quartiles with their count, and whether there are enough values for them, or
 * null: `{n, lower, median, upper, hasQuartiles}`, milliseconds; of the force without a unit.
 */
export function distributions(engine) {
    return Object.fromEntries(engine.rows("distributions").map((row, i) => [DISTRIBUTIONS[i], row.count === 0 ? null : {
        n: row.count, lower: row.lowerQuartile / 10, median: row.median / 10, upper: row.upperQuartile / 10,
        hasQuartiles: row.hasQuartiles === 1,
    }]));
}

/** Text that a call answers with. */
export function words(engine, count) {
    return new TextDecoder().decode(engine.answer(count));
}

/** What a session is set up with, by the engine's numbers. */
export function setup(engine) {
    return {
        ...engine.view("setup"), song: words(engine, engine.call.sessionSong()),
        title: words(engine, engine.call.sessionTitle()), person: words(engine, engine.call.sessionPerson()),
        tempo: engine.call.microsecondsPerBeat(0),
    };
}

/** What became of a session. Times in milliseconds. */
export function result(engine) {
    const { claimDiffers, ...figures } = engine.view("result");
    return { ...figures, beats: beats(engine), ...distributions(engine) };
}
