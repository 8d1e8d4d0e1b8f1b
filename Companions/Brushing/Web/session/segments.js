/**
 * The parts of the routine of the session that an engine holds, in their order.
 * @param {Object<string, Function>} call  what the engine exports
 * @returns {Array<{kind: number, repetition: number, repetitions: number, place: number, length: number}>}  `repetition`
 *   from 0; `place`: where in the mouth, with the clock; `length` in milliseconds
 */
export function segmentsOf(call) {
    const all = Array.from({ length: call.segmentCount() }, (_, i) => ({
        kind: call.segmentKind(i), repetition: call.segmentRepetition(i) - 1, place: call.segmentPlace(i), length: call.segmentMilliseconds(i),
    }));
    // A step's parts stand together, counted from 0.
    return all.map((part, i) => {
        const from = i - part.repetition;
        const next = all.findIndex((one, j) => j > from && one.repetition === 0);
        return { ...part, repetitions: (next < 0 ? all.length : next) - from };
    });
}
