/* Enumerations of the engine: scripts/engine-constants.py writes them, of the Swift sources that they name. */

/** The type of a packet: `Kind` in Platform/Embedded/Wire/Improv/ImprovPacket.swift. */
export const PACKET = {
    currentState: 1,
    errorState: 2,
    command: 3,
    result: 4,
};
