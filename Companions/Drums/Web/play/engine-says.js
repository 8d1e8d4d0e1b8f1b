/*
 * What the engine says of a session, by its numbers, and read from its bytes: Browser/SessionExports.swift has their order.
 */
const NONE = -2147483648;
const DISTRIBUTIONS = ["reaction", "force", "latency", "timing"];

/**
 * The engine counts microseconds, a page milliseconds.
 * @param {number} milliseconds
 */
export const micros = (milliseconds) => milliseconds * 1000;

/** What an input may have brought about, as bits. */
export const OUTPUT = {
    recorded: 1, cueDue: 2, judged: 4, waiting: 8, goesOn: 16, ended: 32, clear: 64, otherDrum: 128,
};
/** Whether the song waits for an answer, or goes on. */
export const MODE = { wait: 0, flow: 1 };
/** What became of a beat. */
export const VERDICT = { right: 1, wrongFirst: 2, offTime: 3, missed: 4, notJudged: 5, unanswered: 6 };
/** How a session ended. */
export const END = { finished: 1, stopped: 2, left: 3, minutesOver: 4, restNeeded: 5, linkLost: 6 };

/**
 * The word for a number of one of these.
 * @param {Object<string, number>} names
 * @param {number} number
 */
export const nameOf = (names, number) => Object.keys(names).find((name) => names[name] === number);

/**
 * The beats that are still to come.
 * @param {object} engine  see engine/engine.js
 * @returns {{step: number, drum: number, side: number, at: number}[]}  `at`: microseconds of the song's time
 */
export function upcoming(engine, most) {
    const bytes = engine.answer(engine.call.upcoming(most));
    const view = new DataView(bytes.buffer);
    return Array.from({ length: bytes.length / 16 }, (_, i) => ({
        step: view.getInt32(i * 16, true), drum: bytes[i * 16 + 4], side: bytes[i * 16 + 5],
        at: view.getFloat64(i * 16 + 8, true),
    }));
}

/**
 * A beat that was judged.
 * @returns {{step: number, drum: number, verdict: number, link: number, side: number, reaction: number?,
 *   error: number?, force: number?, waited: number, isPlausible: boolean, wrong: number[]}}  milliseconds
 */
export function beat(engine, index) {
    const bytes = engine.answer(engine.call.beat(index));
    const view = new DataView(bytes.buffer);
    const known = (at, scale = 1) => (view.getInt32(at, true) === NONE ? null : view.getInt32(at, true) / scale);
    return {
        step: view.getInt32(0, true), drum: bytes[4], verdict: bytes[5], link: bytes[6], side: bytes[7],
        reaction: known(8), error: known(12), force: known(16, 100), waited: view.getInt32(20, true),
        isPlausible: bytes[24] === 1, wrong: [...bytes.subarray(28, 28 + bytes[25])],
    };
}

/**
 * Quartiles with their count, and whether there are enough values for them, or null: `{n, lower, median, upper, hasQuartiles}`,
 * milliseconds; of the force without a unit.
 */
export function distribution(engine, name) {
    const field = (n) => engine.call.distribution(DISTRIBUTIONS.indexOf(name), n);
    const n = field(0);
    return n === 0 ? null : { n, lower: field(1) / 10, median: field(2) / 10, upper: field(3) / 10, hasQuartiles: field(4) === 1 };
}

/** Text that a call answers with. */
export function words(engine, count) {
    return new TextDecoder().decode(engine.answer(count));
}

/** What a session is set up with, by the engine's numbers. */
export function setup(engine) {
    const field = (n) => engine.call.setupField(n);
    return {
        level: field(0), mode: field(1), hands: field(2), drums: field(3), countIn: field(4), steps: field(10),
        stepsPerBeat: field(11), song: words(engine, engine.call.sessionSong()),
        title: words(engine, engine.call.sessionTitle()), person: words(engine, engine.call.sessionPerson()),
        tempo: engine.call.microsecondsPerBeat(0),
    };
}

/** What became of a session. Times in milliseconds. */
export function result(engine) {
    const field = (n) => engine.call.resultField(n);
    const [
        startedAt, endedAt, milliseconds, answered, right, judged, implausible, waits, lostMilliseconds, stray, count, end,
    ] = Array.from({ length: 12 }, (_, n) => field(n));
    return {
        startedAt, endedAt, milliseconds, answered, right, judged, implausible, waits, lostMilliseconds, stray, end,
        beats: Array.from({ length: count }, (_, i) => beat(engine, i)),
        reaction: distribution(engine, "reaction"), force: distribution(engine, "force"),
        latency: distribution(engine, "latency"), timing: distribution(engine, "timing"),
    };
}
