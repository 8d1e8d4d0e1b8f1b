import { make } from "../../elements/make.js";
import { section } from "../../elements/header.js";
import { figure, number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { instrument, liveReadouts } from "./instrument.js";
import { drawn } from "./gyroscope-screen.js";
import { KIND } from "../engine-constants.js";
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
        words: (measuring) => {
            const { engine } = measuring;
            const felt = measuring.sensor(KIND.accelerometer);
            const found = engine.view("acceleration");
            [felt.x, felt.y, felt.z, felt.magnitude].forEach((one, i) => readouts.set(i, one, 2));
            [found.x, found.y, found.z, found.magnitude].forEach((one, i) => linear.set(i, `${figure(one, 2)} g`));
            [found.roll, found.pitch, found.inclination].forEach((one, i) => tilt.set(i, `${figure(one, 0)}°`));
            fallWords.textContent = found.isFalling ? t`It falls.` : found.falls === 0 ? t`No fall yet.`
                : t`It fell for ${figure(found.fallSeconds, 2)} s: ${number(found.fallMetres * 100, 0)} cm, give or take ${number(Math.max(1, found.fallUncertainty * 100), 0)} cm.`;
            steps.firstElementChild.textContent = number(found.steps);
            spectrum.show(engine);
            chart.say({ came: null, silent });
            return found.isFalling ? t`Free fall: nothing is felt` : t`It feels ${figure(felt.magnitude, 2)} g`;
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
