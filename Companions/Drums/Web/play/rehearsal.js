import { micros } from "./engine-says.js";

const STEP = 50; // milliseconds between two looks
const LONGEST = 1200; // looks: a count-in that is longer is not rehearsed to its end
const TAKES = 400; // milliseconds until somebody has hit

/**
 * Has the engine play the song that was set up to its first drum, ahead of time and heard by nobody: a browser makes code
 * ready when it first runs, and the first answer of a child is not to wait for that. What is begun after it knows nothing
 * of it.
 * @param {object} engine  see engine/engine.js
 * @returns {{drum: number, at: number}?}  the drum that is asked for, and when it is to be hit, milliseconds of a clock of its
 *   own; null where the song does not come to that
 */
export function rehearse(engine) {
    const { call } = engine;
    let at = 0;
    if (call.begin(0, at) < 0) return null;
    for (let looks = 0; looks < LONGEST && engine.view("session").cueStep < 0; looks += 1) call.tick(micros(at += STEP));
    const { cueStep, cueDrum } = engine.view("session");
    if (cueStep < 0) return null;
    call.cueShown(cueStep, micros(at));
    return { drum: cueDrum, at: at + TAKES };
}
