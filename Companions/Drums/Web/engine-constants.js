/* Enumerations of the engine: scripts/engine-constants.py writes them, of the Swift sources that they name. */

/** The changes that an input made: `SessionOutput` in Engine/Session/SessionInput.swift. */
export const OUTPUT = {
    recorded: 1,
    cueDue: 2,
    judged: 4,
    waiting: 8,
    goesOn: 16,
    ended: 32,
    clear: 64,
    otherDrum: 128,
};

/** Whether the music waits for the player: `PlayMode` in Engine/Session/SessionSetup.swift. */
export const MODE = {
    wait: 0,
    flow: 1,
};

/** The hands that play a song: `Hands` in Engine/Session/SessionSetup.swift. */
export const HANDS = {
    both: 0,
    left: 1,
    right: 2,
};

/** The connection of the pads to the page: `LinkKind` in Engine/Session/SessionSetup.swift. */
export const LINK = {
    screen: 0,
    keyboard: 1,
    bluetooth: 2,
    wifi: 3,
    midi: 4,
    bluetoothMIDI: 5,
    imported: 6,
};

/** The outcome of a beat: `Verdict` in Engine/Session/SessionResult.swift. */
export const VERDICT = {
    right: 1,
    wrongFirst: 2,
    offTime: 3,
    missed: 4,
    notJudged: 5,
    unanswered: 6,
};
