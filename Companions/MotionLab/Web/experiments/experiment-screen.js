import { get } from "../../app/api.js";
import { header, section } from "../../elements/header.js";
import { field } from "../../elements/field.js";
import { fill, make } from "../../elements/make.js";
import { notice, problemNotice } from "../../elements/notice.js";
import { linesSkeleton } from "../../elements/skeleton.js";
import { figure, number } from "../../text/numbers.js";
import { t } from "../../language/text.js";
import { instrument } from "../measure/instrument.js";
import { KIND, SOURCE } from "../engine-constants.js";
import { motionSource, permitMotion, readMotion, SensorTrouble } from "../measure/motion-sensors.js";
import { EXPERIMENTS } from "../recordings/recording-text.js";
import { builtIn, experimentEngine } from "./experiment-file.js";
import { experimentPlot } from "./experiment-plot.js";
import { readSound } from "./sound-level.js";

const PRESSURES = 100; // milliseconds between two of the simulated lift

/** What one does, of the built-in ones. */
const HOW = {
    pendulum: t`Hang the phone up by a string or hold it in a swing, pull it aside a hand’s breadth, press Start and let go.`,
    "free-fall": t`Press Start, then let the phone fall onto a pillow.`,
    lift: t`A page has no barometer: here a lift is simulated. With a phone’s app, ride a real one.`,
    spin: t`Lay the phone on a turning chair, press Start, and turn it faster and slower.`,
    "room-sound": t`Press Start and be quiet for a while, then talk: it says how loud this room is.`,
};

/** What came out, by the engine's number: its name, unit and decimals. */
const RESULTS = {
    1: [t`Period`, "s", 3], 2: [t`Gravity`, "m/s²", 2], 3: [t`Time of the fall`, "s", 2], 4: [t`Height of the fall`, "m", 2],
    5: [t`Height climbed`, "m", 1], 6: [t`Distance from the axis`, "m", 3], 7: [t`Usual level`, "dB", 1],
    8: [t`Loud moments`, "dB", 1], 9: [t`Background`, "dB", 1], 10: [t`Dominant frequency`, "Hz", 2],
};

/** One experiment: what to do, what is measured meanwhile, and what came out. */
export async function openExperiment(place) {
    const { screen, params, signal, title } = place;
    const waiting = make("div", { class: "content" }, linesSkeleton(60, 90, 70));
    screen.append(waiting);
    const reader = await experimentEngine();
    let file = builtIn(reader).find(({ slug }) => slug === params.slug);
    try {
        file ??= /** @type {any} */ (await get(`/api/lab/experiments/${encodeURIComponent(params.slug)}`, { signal }));
    } catch (error) {
        if (signal.aborted) return;
        title(t`Experiment`);
        const top = header({ back: { href: "/lab/experiments", word: t`Experiments` }, say: t`This experiment cannot be shown right now` });
        return screen.replaceChildren(top.node, make("div", { class: "content" }, problemNotice(error)));
    }
    if (signal.aborted) return;
    waiting.remove();
    const name = EXPERIMENTS[file.slug] ?? file.title;
    const kinds = file.sensors.map(({ sensor }) => KIND[sensor]).filter(Boolean);
    const isSimulated = kinds.includes(KIND.barometer);
    const plots = (file.plots ?? []).map((plot) => experimentPlot(plot, [...file.formulas ?? [], ...file.parameters ?? []]));
    const results = make("div", { "aria-live": "polite" }, make("p", { class: "small second" }, t`What came out stands here at the end.`));
    const parameters = (file.parameters ?? []).map((parameter, i) => {
        const input = field({
            label: parameter.unit ? `${PARAMETERS[parameter.name] ?? parameter.name}, ${parameter.unit}` : PARAMETERS[parameter.name] ?? parameter.name, name: parameter.name, type: "number",
            value: String(parameter.value), attributes: { min: parameter.least, max: parameter.most, step: "any", inputmode: "decimal" },
        });
        input.input.addEventListener("input", () => {
            const held = measuring.engine?.call.setParameter(i, Number(input.value));
            if (held !== undefined && held !== Number(input.value)) input.problem(t`It is held at ${number(held, 3)}.`);
            conclude();
        });
        return input;
    });
    let isRead = false;
    const measuring = instrument(place, {
        name, idle: t`Ready`, over: t`Measuring is over`, lead: HOW[file.slug] ?? t`It measures for ${number(file.seconds)} s.`,
        kind: kinds[0], kinds, experiment: file.slug, hertz: file.sensors[0].hertz ?? 0, back: { href: "/lab/experiments", word: t`Experiments` },
        sourceOf: (kind) => (kind === KIND.barometer ? SOURCE.simulated : kind === KIND.sound ? SOURCE.lab : motionSource()),
        sections: [isSimulated && notice({
            icon: "info", title: t`The pressure is simulated`,
            words: t`Here a lift climbs 12 m and comes down again, and its pressure is computed: your phone measures only what you feel. A recording carries that, and says so. With a phone’s app you can ride a real lift.`,
            actions: [make("a", { class: "button", href: "/lab/phones" }, t`A phone’s app`)],
        }), section(t`What came out`, results), ...plots.map(({ node }) => node),
            parameters.length > 0 && section(t`What you know`, parameters.map(({ node }) => node))].filter(Boolean),
        open: async (take, ending, fail) => {
            const wanted = new Set(kinds);
            if (wanted.has(KIND.sound)) await readSound(measuring, take, ending);
            const motion = new Set(kinds.filter((kind) => kind === KIND.accelerometer || kind === KIND.gyroscope || kind === KIND.linearAcceleration));
            if (motion.size > 0) {
                if (wanted.has(KIND.barometer)) {
                    // Its pressure is simulated, so a device without motion sensors does it all the same.
                    await permitMotion().then(() => readMotion(motion, take, ending, () => {}), () => {});
                } else {
                    await permitMotion();
                    readMotion(motion, take, ending, (reason) => fail(new SensorTrouble(reason)));
                }
            }
            if (wanted.has(KIND.barometer)) simulate(take, ending);
            await measuring.ready;
            prepare();
        },
        draw: (_, { engine }) => plots.forEach((plot, i) => plot.draw(engine, i)),
        words: ({ engine }) => {
            const { left } = engine.view("experiment");
            if (left > 0) return t`${number(Math.ceil(left))} s left`;
            measuring.stop();
            return t`Measuring is over`; // also where a sensor had stopped before
        },
    });
    measuring.addEventListener("change", () => {
        plots.forEach(({ node }) => { node.hidden = !measuring.startedAt; });
        if (!measuring.isRunning && measuring.startedAt) conclude();
    }, { signal });
    plots.forEach(({ node }) => { node.hidden = true; }); // an empty chart says nothing

    function prepare() {
        const { engine } = measuring;
        if (!isRead) isRead = engine.call.readExperiment(engine.put(new TextEncoder().encode(JSON.stringify(file)))) === 0;
        engine.call.beginExperiment();
        parameters.forEach(({ value }, i) => engine.call.setParameter(i, Number(value)));
        fill(results, make("p", { class: "small second" }, t`It is measuring.`));
    }
    function simulate(take, ending) {
        const begun = performance.now();
        const timer = setInterval(() => {
            const { engine } = measuring;
            if (engine) take(KIND.barometer, SOURCE.simulated, measuring.now(), engine.call.simulatedPressure((performance.now() - begun) / 1000), NaN, NaN);
        }, PRESSURES);
        ending.addEventListener("abort", () => clearInterval(timer));
    }
    function conclude() {
        if (!measuring.engine || measuring.isRunning) return;
        const all = measuring.engine.rows("results");
        plots.forEach((plot, i) => plot.draw(measuring.engine, i));
        fill(results, all.length === 0 ? make("p", { class: "small second" }, measuring.engine.view("experiment").seconds === 0 ? t`Nothing was measured.`
            : t`Nothing came out of it: measure a little longer, and move it more clearly.`)
            : make("dl", { class: "readouts" }, all.map(({ quantity, value, uncertainty: off }) => {
                const [word, unit, decimals] = RESULTS[quantity];
                return make("div", {}, make("dt", {}, word), make("dd", {}, figure(value, decimals), make("span", { class: "unit" }, ` ${unit}`)),
                    Number.isNaN(off) ? null : make("dd", {}, giveOrTake(off, decimals, unit)));
            })));
    }
}

/** How far off a result may be: never nothing at all. */
function giveOrTake(off, decimals, unit) {
    const least = 10 ** -decimals;
    return off < least / 2 ? t`give or take less than ${figure(least, decimals)} ${unit}` : t`give or take ${figure(off, decimals)} ${unit}`;
}

/** Names of the built-in experiments' parameters. */
const PARAMETERS = { length: t`Length`, celsius: t`Temperature of the air`, startPressure: t`Pressure at the start` };
