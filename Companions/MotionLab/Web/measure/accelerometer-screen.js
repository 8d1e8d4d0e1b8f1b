import { make } from "../../elements/make.js";
import { section } from "../../elements/header.js";
import { figure, number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { instrument, liveReadouts } from "./instrument.js";
import { drawn } from "./gyroscope-screen.js";
import { KIND } from "./kinds.js";
import { liveChart, stroke } from "./live-chart.js";
import { permitMotion, readMotion, SensorTrouble } from "./motion-sensors.js";
import { spectrumSection } from "./spectrum-section.js";

/** The accelerometer: what the device feels, 1 g at rest and 0 g in free fall. */
export function openAccelerometer(place) {
    const readouts = liveReadouts([
        ...["x", "y", "z"].map((axis, i) => ({ name: [stroke(i), axis], unit: "g" })), { name: t`all`, unit: "g" },
    ]);
    const chart = liveChart({
        title: t`The last ten seconds`, label: t`What it felt along x, y and z in the last ten seconds`,
        axes: ["x", "y", "z"], unit: "g", least: 1,
    });
    const linear = list(["x", "y", "z", t`all`]);
    const tilt = list([t`to the right`, t`top edge up`, t`from lying on its back`]);
    const fallWords = make("p", { class: "lead fall-words" });
    const fallMore = make("p", { class: "small second" },
        t`At rest a phone feels 1 g: the table holds it up. In free fall nothing does, and it feels 0 g. Let it fall onto a pillow: the time says the height.`);
    const steps = make("p", { class: "figure" }, make("b", {}, "0"));
    const spectrum = spectrumSection(KIND.accelerometer);
    let silent = 0;
    instrument(place, {
        name: t`Accelerometer`, idle: t`What does it feel?`, kind: KIND.accelerometer,
        kinds: [KIND.accelerometer, KIND.linearAcceleration],
        lead: t`Press Start. Lying still it feels 1 g, in free fall 0 g: this page lets you prove it.`,
        rates: [15, 30, 60, 0], hertz: 0, readouts: readouts.node,
        sections: [
            chart.node, section(t`Free fall`, fallWords, fallMore), section(t`Without gravity`, linear.node),
            section(t`Tilt`, tilt.node),
            section(t`Steps`, steps, make("p", { class: "small second" }, t`Counted from four in a row on: a single jolt is no step.`)),
            spectrum.node,
        ],
        open: async (take, signal, fail) => {
            await permitMotion();
            spectrum.begin();
            readMotion(new Set([KIND.accelerometer, KIND.linearAcceleration, KIND.gyroscope]), take, signal,
                (reason) => fail(new SensorTrouble(reason)));
        },
        draw: (now, { engine }) => { silent = drawn(chart, engine, KIND.accelerometer, now); },
        words: ({ engine }) => {
            const { call } = engine;
            for (const axis of [0, 1, 2]) {
                readouts.set(axis, call.value(KIND.accelerometer, axis), 2);
                linear.set(axis, `${figure(call.linear(axis), 2)} g`);
                tilt.set(axis, `${figure(call.tilt(axis), 0)}°`);
            }
            const all = call.magnitude(KIND.accelerometer);
            readouts.set(3, all, 2);
            linear.set(3, `${figure(call.linear(-1), 2)} g`);
            fallWords.textContent = call.isFalling() ? t`It falls.` : call.falls() === 0 ? t`No fall yet.`
                : t`It fell for ${figure(call.fall(0), 2)} s: ${number(call.fall(1) * 100, 0)} cm, give or take ${number(Math.max(1, call.fall(2) * 100), 0)} cm.`;
            steps.firstElementChild.textContent = number(call.steps());
            spectrum.show(engine);
            chart.say({ came: null, silent });
            return call.isFalling() ? t`Free fall: nothing is felt` : t`It feels ${figure(all, 2)} g`;
        },
    });
    fallWords.textContent = t`No fall yet.`;
}

/** Values under their names. */
function list(names) {
    const values = names.map(() => make("dd", { class: "live-number" }, "–"));
    return {
        node: make("dl", { class: "readouts axes" }, names.map((name, i) => make("div", {}, make("dt", {}, name), values[i]))),
        set: (place, words) => { values[place].textContent = words; },
    };
}
