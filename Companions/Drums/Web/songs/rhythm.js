import { engine } from "../../engine/engine.js";
import { bytesOf } from "../../engine/base64.js";
import { make } from "../../elements/make.js";

const STEPS = 32; // what a row has room for
let loading = null;
const known = new Map();

/**
 * The first bars of a song's level on a ruled line: a block for each beat to hit, nothing for a rest. It is drawn when
 * the engine is there, which reads it from the song's bytes.
 * @param {object} song  of the overview @param {number} level @param {AbortSignal} signal
 */
export function rhythm(song, level, signal) {
    const node = make("svg:svg", { class: "rhythm", "aria-hidden": true });
    const key = `${song.id} ${level} ${song.bytes.length}`;
    const draw = (steps) => {
        if (!steps || signal.aborted) return;
        node.append(...steps.map((isBeat, i) => (isBeat ? make("svg:rect", {
            x: `${(i / STEPS) * 100}%`, y: 2, width: `${70 / STEPS}%`, height: 8,
        }) : null)).filter(Boolean),
        make("svg:line", { x1: 0, x2: "100%", y1: 12, y2: 12 }));
    };
    if (known.has(key)) draw(known.get(key));
    else stepsOf(song, level).then((steps) => { known.set(key, steps); draw(steps); }, () => {});
    return node;
}

async function stepsOf(song, level) {
    loading ??= engine("drums");
    const drums = await loading;
    if (drums.call.loadSong(drums.put(bytesOf(song.bytes))) !== 0) return null;
    const chart = drums.answer(drums.call.songChart(level));
    const view = new DataView(chart.buffer);
    const from = 3 + 6 * view.getUint16(1, true);
    const count = view.getUint16(from, true);
    return Array.from({ length: Math.min(count, STEPS) },
        (_, i) => (chart[from + 2 + (i >> 3)] & (1 << (i & 7))) !== 0);
}
