import { make } from "../../elements/make.js";
import { section } from "../../elements/header.js";
import { number } from "../../text/numbers.js";
import { t } from "../../language/text.js";

const EACH = 500; // milliseconds
const SAMPLES = 1024;

/**
 * Which frequencies are in what is felt: of a pendulum, of a washing machine.
 * @param {number} kind
 */
export function spectrumSection(kind) {
    const canvas = make("canvas", { class: "spectrum-plot", role: "img", "aria-label": t`How strong each frequency is` });
    const words = make("p", { class: "lead" }, t`Nothing swings yet.`);
    const more = make("p", { class: "small second" },
        t`Lay the phone on a washing machine, or hang it up as a pendulum, for ten seconds.`);
    const ends = make("div", { class: "live-times fine", "aria-hidden": true }, make("span", {}, "0 Hz"), make("span", {}, ""));
    let at = 0;
    return {
        node: section(t`Spectrum`, words, make("div", { class: "live-frame" }, canvas), ends, more),
        begin() { at = 0; },
        /** @param {Awaited<ReturnType<typeof import("../../engine/engine.js").engine>>} engine */
        show(engine) {
            const now = performance.now();
            if (now - at < EACH) return;
            at = now;
            const { call } = engine;
            const used = call.computeSpectrum(kind, -1, SAMPLES);
            if (used === 0) return;
            const hertz = call.dominant(0);
            words.textContent = call.standsOut()
                ? t`${number(hertz, 2)} Hz stands out: once in ${number(1 / hertz, 2)} s, ${number(call.dominant(1), 3)} g strong.`
                : t`No frequency stands out.`;
            const lines = new Float32Array(engine.answer(call.spectrumLines()).buffer);
            ends.lastElementChild.textContent = `${number(call.hertzPerLine() * (lines.length - 1), 0)} Hz`;
            plot(canvas, lines);
        },
    };
}

function plot(canvas, lines) {
    const box = canvas.getBoundingClientRect();
    const ratio = Math.min(devicePixelRatio || 1, 2);
    canvas.width = Math.round(box.width * ratio);
    canvas.height = Math.round(box.height * ratio);
    const context = canvas.getContext("2d");
    if (!context || !box.width) return;
    context.scale(ratio, ratio);
    context.fillStyle = getComputedStyle(canvas).getPropertyValue("--mark").trim();
    let high = 0.001;
    for (const line of lines) high = Math.max(high, line);
    const width = box.width / lines.length;
    for (let i = 1; i < lines.length; i += 1) {
        const tall = (lines[i] / high) * (box.height - 4);
        context.fillRect(i * width, box.height - tall, Math.max(width - 0.5, 1), tall);
    }
}
