import { button } from "../../elements/button.js";
import { make, text } from "../../elements/make.js";
import { section } from "../../elements/header.js";
import { figure, number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { instrument, liveReadouts, ORIGINAL_HERTZ } from "./instrument.js";
import { KIND } from "../engine-constants.js";
import { liveChart, stroke } from "./live-chart.js";
import { permitMotion, readMotion, SensorTrouble } from "./motion-sensors.js";

const SIZE = 80; // pixels: the rectangle's

/** The gyroscope: how fast this device turns about each axis, and the original's green rectangle. */
export function openGyroscope(place) {
    const readouts = liveReadouts(["x", "y", "z"].map((axis, i) => ({ name: [stroke(i), axis], unit: "rad/s" })));
    const chart = liveChart({
        title: t`The last ten seconds`, label: t`How fast it turned about x, y and z in the last ten seconds`,
        axes: ["x", "y", "z"], unit: "rad/s", least: 1,
    });
    const bench = rectangle();
    const turned = ["x", "y", "z"].map((axis) => ({ axis, value: make("dd", {}, "–") }));
    const drift = make("p", { class: "small second" });
    const zero = button(t`Zero`, { kind: "quiet", icon: "undo", press: () => measuring.engine?.call.zero() });
    const turnedSection = section(t`Turned since the start`,
        make("dl", { class: "readouts axes" }, turned.map(({ axis, value }) => make("div", {}, make("dt", {}, axis), value))),
        drift);
    turnedSection.querySelector("h2").replaceWith(make("div", { class: "section-head" }, turnedSection.querySelector("h2").cloneNode(true), zero));
    const idleDrift = t`A gyroscope says how fast it turns. Added up, that is how far it was turned, and every small fault is added up with it: drift.`;
    drift.textContent = idleDrift;
    const measuring = instrument(place, {
        name: t`Gyroscope`, idle: t`How fast does it turn?`, kind: KIND.gyroscope, kinds: [KIND.gyroscope],
        lead: t`Press Start, then tip and turn this phone: the green rectangle goes along.`,
        rates: [ORIGINAL_HERTZ, 30, 60, 0], hertz: ORIGINAL_HERTZ,
        figure: bench.node, readouts: readouts.node, sections: [chart.node, turnedSection],
        open: async (take, signal, fail) => {
            await permitMotion();
            readMotion(new Set([KIND.gyroscope, KIND.accelerometer]), take, signal, (reason) => fail(new SensorTrouble(reason)));
        },
        draw: (now, { engine }) => {
            bench.move(engine.call.rectangle(0, SIZE), engine.call.rectangle(1, SIZE));
            silent = drawn(chart, engine, KIND.gyroscope, now);
        },
        words: ({ engine }) => {
            const rate = measuring.sensor(KIND.gyroscope);
            const rotation = engine.view("rotation");
            [rate.x, rate.y, rate.z].forEach((one, axis) => readouts.set(axis, one, 2));
            for (const { axis, value } of turned) value.textContent = `${figure(rotation[axis], 1)}°`;
            bench.say();
            text(drift, driftWords(rotation) ?? idleDrift);
            chart.say({ came: null, silent });
            return MOVEMENTS[engine.call.movement()] ?? null;
        },
    });
    let silent = 0;
}

/**
 * What is known of the drift: it is measured while the device lies still, and what somebody turns is none.
 * @param {Object<string, number>} rotation  of the engine
 */
function driftWords({ driftPerMinute: minute, away, drift, isAtRest }) {
    if (Number.isNaN(minute)) {
        return away < 1 ? null : t`It is turned by ${figure(away, 1)}° from how it lay. Put it down for some seconds: what it says while it lies still is its drift.`;
    }
    const known = t`Lying still it says ${figure(minute, 1)}° a minute: that is its drift, about ${figure(drift, 1)}° since the start.`;
    return isAtRest ? known : t`${known} Now it is turned by ${figure(away, 1)}° from how it lay.`;
}

/** What is done with it, by the engine's number; 16 more where it is fast. */
const MOVEMENTS = {
    0: t`Lying still`, 16: t`Lying still`,
    1: t`Tipping back, slowly`, 17: t`Tipping back, fast`,
    2: t`Tipping forward, slowly`, 18: t`Tipping forward, fast`,
    3: t`Leaning to the left, slowly`, 19: t`Leaning to the left, fast`,
    4: t`Leaning to the right, slowly`, 20: t`Leaning to the right, fast`,
    5: t`Turning to the left, slowly`, 21: t`Turning to the left, fast`,
    6: t`Turning to the right, slowly`, 22: t`Turning to the right, fast`,
};

/**
 * Draws the last seconds of a sensor.
 * @returns {number}  seconds of it in which nothing came
 */
export function drawn(chart, engine, kind, now, axisCount = 3) {
    const from = now - chart.seconds * 1000;
    const bytes = engine.answer(engine.call.chart(kind, from, now, chart.columns));
    return chart.draw(new Float32Array(bytes.buffer), axisCount);
}

/** The original's page in the middle of its own: a rectangle, its place at rest, and a ruled cross. */
function rectangle() {
    const green = make("svg:rect", { class: "specimen", x: "50%", y: "50%", width: SIZE, height: SIZE });
    const node = make("svg:svg", { class: "lab-bench", role: "img", "aria-label": t`The green rectangle at rest` },
        ticks(), make("svg:line", { class: "axis", x1: "2%", x2: "98%", y1: "50%", y2: "50%" }),
        make("svg:line", { class: "axis", x1: "50%", x2: "50%", y1: "4%", y2: "96%" }),
        make("svg:rect", { class: "home", x: "50%", y: "50%", width: SIZE, height: SIZE }), green);
    let [x, y] = [0, 0];
    return {
        node,
        /** @param {number} right  pixels @param {number} down */
        move(right, down) {
            [x, y] = [right, down];
            green.style.setProperty("--x", `${right}px`);
            green.style.setProperty("--y", `${down}px`);
        },
        say: () => node.setAttribute("aria-label",
            t`The green rectangle, moved ${number(Math.round(x))} to the right and ${number(Math.round(y))} down`),
    };
}

function ticks() {
    const all = [];
    for (let i = 0; i <= 20; i += 1) {
        const tall = i % 5 === 0 ? 14 : 7;
        all.push(make("svg:rect", { class: "tick", x: `${4 + i * 4.6}%`, y: "50%", width: 1, height: tall, vars: { up: `${-tall / 2}px` } }));
    }
    return all;
}
