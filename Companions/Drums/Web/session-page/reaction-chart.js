import { chartAxis, namedTicks } from "../../elements/chart-axis.js";
import { chosenPoint } from "../../elements/chart-point.js";
import { make } from "../../elements/make.js";
import { t } from "../../language/text.js";
import { listed } from "../../text/civil.js";
import { number } from "../../text/numbers.js";
import { heightOf, percent } from "../data/plot.js";
import { stepsPlayed } from "./score.js";

const FAR = 3; // quartile ranges above the upper quartile: what took longer stands at the top with its time
const FIRST = 0.24; // share of the width that "beat 1" takes on a phone, in any language
const MOST = 4; // of these that are shown

/** Whose clock it was, and of how many beats. */
function captionOf(clock, n) {
    if (clock === "drum") return t`by the drum’s own clock, n = ${n}`;
    return clock === "page" ? t`by the page’s clock, n = ${n}` : `n = ${number(n)}`;
}

/**
 * The reaction time of each beat as a stem, the quartiles as a band where there are enough values; hollow where another drum came first. One long wait
 * does not make all others small: it stands at the top.
 */
export function reactionChart(played) {
    const { beatList, chart, reaction, clock, stepMilliseconds } = played;
    const shown = beatList.filter((one) => one.reaction);
    if (!reaction || shown.length === 0) return null;
    const beat = Math.round(stepMilliseconds(0) * chart.stepsPerBeat);
    const hasQuartiles = reaction.lower !== undefined;
    const usual = hasQuartiles ? Math.max(reaction.upper + FAR * (reaction.upper - reaction.lower), beat * 1.15) : Infinity;
    const longest = Math.max(...shown.map((one) => one.reaction), beat * 1.15);
    const axis = chartAxis(0, Math.min(longest, usual), { isWhole: true });
    const top = axis.to;
    const far = shown.filter((one) => one.reaction > top);
    const last = stepsPlayed(played);
    const x = (step) => percent(((step + 0.5) / last) * 100);
    const y = (value) => percent(heightOf(value, axis));
    const perBeat = chart.stepsPerBeat;
    const isNear = Math.abs(heightOf(beat, axis) - heightOf(reaction.median, axis)) < 11;
    const plot = make("svg:svg", {
        class: "plot", role: "img",
        "aria-label": hasQuartiles
            ? t`Reaction time of each beat: median ${number(reaction.median)} milliseconds, half between ${number(reaction.lower)} and ${number(reaction.upper)}.`
            : t`Reaction time of each beat: median ${number(reaction.median)} milliseconds.`,
    },
        beatList.filter((one) => one.verdict === "notJudged").map(({ step }) => make("svg:rect", {
            class: "unknown", x: percent((step / last) * 100), width: percent(100 / last), y: 0, height: "100%",
        })),
        axis.ticks.filter(({ at }) => at > 0).map(({ at }) => make("svg:line", { class: "grid", x1: 0, x2: "100%", y1: y(at), y2: y(at) })),
        hasQuartiles && make("svg:rect", { class: "band", x: 0, width: "100%", y: y(reaction.upper),
            height: percent(heightOf(reaction.lower, axis) - heightOf(reaction.upper, axis)) }),
        make("svg:line", { class: "limit", x1: 0, x2: "100%", y1: y(beat), y2: y(beat) }),
        shown.map((one) => [
            make("svg:line", { class: "stem", x1: x(one.step), x2: x(one.step), y1: "100%",
                y2: y(Math.min(one.reaction, top)) }),
            make("svg:circle", { class: one.wrong.length > 0 ? "dot-hollow" : "dot", cx: x(one.step),
                cy: y(Math.min(one.reaction, top)), r: last > 60 ? 3 : 4 }),
        ]),
        make("svg:line", { class: "base", x1: 0, x2: "100%", y1: "100%", y2: "100%" }),
        beatNames(last, perBeat, x));
    return make("section", { class: "section", "aria-labelledby": "rt" },
        make("figure", { class: "chart", vars: { height: "150px", ends: "3.5rem" } },
            make("figcaption", {}, make("h2", { id: "rt" }, t`Reaction time`),
                make("span", { class: "fine" }, captionOf(clock, reaction.n))),
            plot,
            make("div", { class: "ends", "aria-hidden": true },
                namedTicks(axis, isNear ? [reaction.median] : [beat, reaction.median])
                    .map(({ at, label }) => make("span", { vars: { y: heightOf(at, axis) } }, label)),
                !isNear && make("span", { vars: { y: heightOf(beat, axis) } }, t`1 beat`),
                make("span", { class: "strong", vars: { y: heightOf(reaction.median, axis) } },
                    `${number(reaction.median)} ms`)),
            chosenPoint(plot, shown.map(({ step }) => ((step + 0.5) / last) * 100), (index) => {
                const { step, reaction: took, wrong } = shown[index];
                const place = Math.floor(step / perBeat) + 1;
                return wrong.length > 0 ? t`Beat ${place}: ${number(took)} ms, another drum first`
                    : t`Beat ${place}: ${number(took)} ms`;
            })),
        far.length > 0 && make("p", { class: "fine" }, farText(far)));
}

/**
 * The names of beats below a chart of a song. They are counted from one, which says what they are.
 * @param {number} last  steps
 * @param {number} perBeat  steps
 * @param {(step: number) => string} x
 */
export function beatNames(last, perBeat, x) {
    const beats = chartAxis(1, Math.max(2, Math.ceil(last / perBeat)), { steps: 5 });
    const named = [1, ...beats.ticks.filter(({ at }) => Number.isInteger(at) && beats.share(at) > FIRST).map(({ at }) => at)];
    return named.map((beat) => make("svg:text", {
        class: beat === 1 ? null : beats.share(beat) > 0.95 ? "end" : "mid", x: beat === 1 ? 0 : x((beat - 1) * perBeat), y: "100%", dy: 20,
    }, beat === 1 ? t`beat 1` : number(beat)));
}

function farText(far) {
    const times = far.slice(0, MOST).map((one) => `${number(one.reaction / 1000, 1)} s`);
    return far.length > MOST
        ? t`At the top, longer than the scale: ${times.join(", ")} and ${far.length - MOST} more.`
        : t`At the top, longer than the scale: ${listed(times)}.`;
}
