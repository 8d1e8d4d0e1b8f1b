import { get } from "../../app/api.js";
import { live } from "../../app/live.js";
import { button } from "../../elements/button.js";
import { field } from "../../elements/field.js";
import { section } from "../../elements/header.js";
import { fill, make } from "../../elements/make.js";
import { segmented } from "../../elements/segmented.js";
import { figure } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { instrument, liveReadouts } from "./instrument.js";
import { drawn } from "./gyroscope-screen.js";
import { KIND, SOURCE } from "../engine-constants.js";
import { liveChart } from "./live-chart.js";
import { SensorTrouble } from "./motion-sensors.js";

const EACH = 1000; // milliseconds between two questions for what a phone has sent
const SIMULATED = 100; // milliseconds between two pressures of the simulated lift
const POINTS = 2000;

/** The barometer: the pressure of the air, and how much higher this is than where it began. */
export function openBarometer(place) {
    const readouts = liveReadouts([{ name: t`Pressure`, unit: "kPa" }, { name: t`Height since the start`, unit: "m" }]);
    const chart = liveChart({
        title: t`The last half minute`, label: t`The pressure of the last half minute`, axes: ["p"], unit: "kPa", seconds: 30,
        least: 0.02, isAround: true,
    });
    const note = make("p", { class: "small second", "aria-live": "polite" });
    const celsius = field({
        label: t`Temperature of the air, °C`, name: "celsius", type: "number", value: "15",
        hint: t`10 °C more are 3.5% more height.`, attributes: { min: -59, max: 59, step: "any", inputmode: "decimal" },
    });
    let from = "phone";
    const source = segmented(t`Where the pressure comes from`, [
        { value: "phone", word: t`A phone’s app` }, { value: "lift", word: t`A simulated lift` },
    ], from, (chosen) => {
        from = chosen;
        measuring.stop();
    });
    celsius.input.addEventListener("input", () => {
        const asked = Number(celsius.value);
        const held = measuring.engine?.call.setCelsius(asked);
        if (celsius.value === "" || (held !== undefined && held !== asked)) celsius.problem(t`Between −59 and 59 °C, please.`);
    });
    let silent = 0;
    const measuring = instrument(place, {
        name: t`Barometer`, idle: t`How high is it?`, kind: KIND.barometer,
        lead: t`No browser gives a page its barometer. A phone’s app sends it to the hub, and this page reads along.`,
        readouts: readouts.node,
        sections: [
            section(t`Where the pressure comes from`, source, note,
                make("p", { class: "row-of-buttons" }, make("a", { class: "button", href: "/lab/phones" }, t`Add a phone with Sensor Logger`))),
            chart.node,
            section(t`Height`, make("p", { class: "small second" },
                t`Air grows thinner as one climbs: one pascal less is 8 cm more. The first five pressures are the start.`),
            celsius.node, button(t`Zero`, { icon: "undo", press: () => measuring.engine?.call.zeroAltitude() })),
        ],
        open: async (take, signal, fail) => {
            measuring.shift = 0;
            if (from === "lift") simulate(take, signal);
            else await readAlong(take, signal, fail);
        },
        draw: (now, { engine }) => { silent = drawn(chart, engine, KIND.barometer, now, 1); },
        words: ({ engine }) => {
            engine.call.setCelsius(celsius.value === "" ? NaN : Number(celsius.value));
            const { metres, climb } = engine.view("altitude");
            readouts.set(0, measuring.sensor(KIND.barometer).x, 3);
            readouts.set(1, metres, 1);
            chart.say({ came: null, silent });
            if (Number.isNaN(metres)) return t`Waiting for the first pressures`;
            if (climb === 0) return t`As high as at the start`;
            return climb > 0 ? t`${figure(metres, 1)} m higher than at the start` : t`${figure(-metres, 1)} m lower than at the start`;
        },
    });

    function simulate(take, signal) {
        note.textContent = t`A lift that climbs 12 m and comes down again: nothing is measured.`;
        const begun = performance.now();
        const timer = setInterval(() => {
            const seconds = (performance.now() - begun) / 1000;
            if (measuring.engine) take(KIND.barometer, SOURCE.simulated, measuring.now(), measuring.engine.call.simulatedPressure(seconds), NaN, NaN);
        }, SIMULATED);
        signal.addEventListener("abort", () => clearInterval(timer));
    }

    /** What a phone's app sends to the hub, as it is stored there. */
    async function readAlong(take, signal, fail) {
        const recording = await newest(signal);
        if (!recording) {
            note.textContent = t`No phone has sent a pressure yet. Add one, and press Start in its app.`;
            throw new SensorTrouble("missing", "barometer");
        }
        note.textContent = t`What the phone sent last.`;
        let last = -Infinity;
        const read = async () => {
            const path = /** @type {const} */ (`/api/lab/recordings/${encodeURIComponent(recording.id)}/chart?sensor=barometer&points=${POINTS}`);
            const { points } = await get(path, { signal });
            for (const { seconds, mean } of points) {
                if (seconds <= last) continue;
                last = seconds;
                const at = recording.startMicroseconds / 1000 + seconds * 1000;
                take(KIND.barometer, SOURCE.lab, at, mean[0], NaN, NaN);
            }
            // The phone's clock is not this device's: the chart ends with what came last.
            const latest = recording.startMicroseconds / 1000 + last * 1000;
            const ahead = latest - (performance.timeOrigin + performance.now());
            measuring.shift = measuring.shift === 0 ? ahead : Math.max(measuring.shift, ahead);
        };
        await measuring.ready;
        await read();
        const timer = setInterval(() => read().catch((error) => { if (!signal.aborted) fail(error); }), EACH);
        signal.addEventListener("abort", () => clearInterval(timer));
    }

    async function newest(signal) {
        const { recordings } = await get("/api/lab/recordings", { signal });
        return recordings.find(({ streams }) => streams.some(({ sensor, samples }) => sensor === "barometer" && samples > 0)) ?? null;
    }
    live.addEventListener("changed", ({ detail }) => {
        if (detail.companion === "lab" && !measuring.isRunning && measuring.trouble) fill(note, t`Something new came from a phone: press Start.`);
    }, { signal: place.signal });
}
