import { chartAxis } from "../../elements/chart-axis.js";
import { make, text } from "../../elements/make.js";
import { section } from "../../elements/header.js";
import { figure, number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { axisChoice, LENGTH, lengthNote, STRONGEST } from "./axis-choice.js";
import { coloursOf, drawRules, nameTicks, nameTicksAlong } from "./live-chart.js";

const EACH = 500; // milliseconds
const SAMPLES = 1024;
const AXES = ["x", "y", "z"];
const SEEN = 0.05; // of the highest line: what is lower is not looked for

/**
 * Which frequencies are in what is felt along each axis, without gravity: of a pendulum, of a washing machine.
 * @param {number} kind
 */
export function spectrumSection(kind) {
    const canvas = make("canvas", { class: "live-plot", role: "img", "aria-label": t`How strong each frequency is` });
    const ends = make("div", { class: "live-ends fine", "aria-hidden": true });
    const hertz = make("div", { class: "live-along fine", "aria-hidden": true });
    const words = make("p", { class: "lead" }, t`Nothing swings yet.`);
    const more = make("p", { class: "small second" },
        t`Lay the phone on a washing machine, or hang it up as a pendulum, for ten seconds.`);
    const note = make("p", { class: "small second", hidden: true }, lengthNote());
    const peaks = AXES.map(() => [make("dd", { class: "live-number" }, "–"), make("dd", {}, "")]);
    let choice = STRONGEST;
    let at = 0;
    let reach = 0;
    /** @type {Awaited<ReturnType<typeof import("../../engine/engine.js").engine>>?} */
    let known = null;
    const choose = (chosen) => {
        choice = chosen;
        note.hidden = choice !== LENGTH;
        if (known) draw(known);
    };
    function draw(engine) {
        const { strongest, hertzPerLine } = engine.view("spectra");
        const all = engine.rows("peaks"); // the last is that of the length
        const axis = choice === LENGTH ? -1 : choice === STRONGEST ? Math.max(strongest, 0) : AXES.indexOf(choice);
        AXES.forEach((_, i) => {
            const { standsOut, hertz: pace, amplitude } = all[i];
            text(peaks[i][0], standsOut ? `${figure(pace, 2)} Hz` : "–");
            text(peaks[i][1], standsOut ? `${figure(amplitude, 3)} g` : "");
        });
        const { standsOut, hertz: pace, amplitude } = all.at(axis);
        const found = () => t`${number(pace, 2)} Hz, once in ${number(1 / pace, 2)} s, ${number(amplitude, 3)} g strong.`;
        text(words, !standsOut ? t`No frequency stands out.`
            : choice === STRONGEST ? t`Strongest along ${AXES[axis]}: ${found()}`
            : axis < 0 ? t`In the length: ${found()}` : t`Along ${AXES[axis]}: ${found()}`);
        const lines = new Float32Array(engine.answer(engine.call.spectrumLines(axis)).buffer);
        plot(lines, hertzPerLine, standsOut ? pace : NaN);
    }
    function plot(lines, step, peak) {
        const box = canvas.getBoundingClientRect();
        const context = canvas.getContext("2d");
        if (!context || !box.width || lines.length < 2) return;
        let high = 0.001;
        for (let i = 1; i < lines.length; i += 1) high = Math.max(high, lines[i]);
        const strength = chartAxis(0, high * 1.05, { isWhole: true });
        const most = step * (lines.length - 1);
        // As far as anything is seen: two swings a second would be lost at the edge of thirty. It shrinks late.
        let last = 0;
        for (let i = 1; i < lines.length; i += 1) if (lines[i] > high * SEEN) last = i * step;
        const wanted = Math.min(most, [5, 10, 20, 50, 100, 200, 500].find((one) => one >= last * 1.2) ?? most);
        if (wanted > reach || last * 2.5 < reach) reach = wanted;
        const ratio = Math.min(devicePixelRatio || 1, 2);
        canvas.width = Math.round(box.width * ratio);
        canvas.height = Math.round(box.height * ratio);
        context.scale(ratio, ratio);
        const { width, height } = box;
        const colours = coloursOf(canvas);
        const x = (frequency) => (frequency / reach) * width;
        const y = (value) => height - 1 - strength.share(value) * (height - 1);
        const pace = chartAxis(0, reach, { steps: 5 });
        drawRules(context, box, colours.grid, strength.ticks.map(({ at }) => y(at)), pace.ticks.map(({ at }) => x(at)));
        context.beginPath();
        context.moveTo(0, y(0));
        for (let i = 1; i < lines.length && (i - 1) * step <= reach; i += 1) context.lineTo(x(i * step), y(lines[i]));
        context.lineTo(width, y(0));
        context.closePath();
        context.globalAlpha = 0.18;
        context.fillStyle = colours.line;
        context.fill();
        context.globalAlpha = 1;
        context.strokeStyle = colours.line;
        context.lineWidth = 2;
        context.lineJoin = "round";
        context.stroke();
        if (!Number.isNaN(peak)) {
            context.setLineDash([2, 4]);
            context.beginPath();
            context.moveTo(x(peak), 0);
            context.lineTo(x(peak), height);
            context.stroke();
            context.setLineDash([]);
        }
        nameTicks(ends, strength, "g");
        nameTicksAlong(hertz, pace, "Hz");
    }
    return {
        node: section(t`Spectrum`, words,
            make("dl", { class: "readouts axes" }, AXES.map((axis, i) => make("div", {}, make("dt", {}, axis), peaks[i]))),
            make("div", { class: "live-frame spectrum-frame" }, canvas, ends), hertz, axisChoice(AXES, choice, choose), note, more),
        begin() {
            at = 0;
            reach = 0;
            known = null;
        },
        /** @param {Awaited<ReturnType<typeof import("../../engine/engine.js").engine>>} engine */
        show(engine) {
            const now = performance.now();
            if (now - at < EACH) return;
            at = now;
            if (engine.call.computeSpectrum(kind, SAMPLES) === 0) return;
            known = engine;
            draw(engine);
        },
    };
}
