/* Enumerations of the engine: scripts/engine-constants.py writes them, of the Swift sources that they name. */

/** An input to a session: `SessionInput` in Engine/SessionInput.swift. */
export const INPUT = {
    tick: 0,
    pause: 1,
    resume: 2,
    skip: 3,
    stop: 4,
    finish: 5,
    start: 6,
    opened: 7,
    seen: 8,
};

/** The effects of an input: `SessionOutput` in Engine/SessionInput.swift. */
export const OUTPUT = {
    recorded: 1,
    repetitionChanged: 2,
    stepChanged: 4,
    ended: 8,
    ignored: 16,
};

/** The kind of a step: `Kind` in Engine/RoutineStep.swift. */
export const KIND = {
    brush: 0,
    floss: 1,
    rinse: 2,
};

/** The side of the teeth that is brushed: `BrushedSurface` in Engine/BrushedSurface.swift. */
export const SURFACE = {
    outside: 0,
    inside: 1,
    tops: 2,
};
