import { LINK } from "../links/link.js";
import { beat, OUTPUT } from "./engine-says.js";

const STEP = 50_000; // microseconds between two looks
const LONGEST = 1200; // looks: a count-in that is longer is not rehearsed to its end

/**
 * Has the engine play the song that was set up to its first beat, ahead of time and heard by nobody: a browser makes code
 * ready when it first runs, and the first answer of a child is not to wait for that. What is begun after it knows nothing
 * of it.
 * @param {object} engine  see engine/engine.js
 */
export function rehearse(engine) {
    const { call } = engine;
    let at = 0;
    if (call.begin(0, at) < 0) return;
    for (let looks = 0; looks < LONGEST && call.cueStep() < 0; looks += 1) call.tick(at += STEP);
    call.cueShown(call.cueStep(), at);
    const said = call.strike(call.cueDrum(), 0, LINK.screen, at + STEP * 8);
    if (said & OUTPUT.judged) beat(engine, 0);
    engine.answer(call.encode());
}
