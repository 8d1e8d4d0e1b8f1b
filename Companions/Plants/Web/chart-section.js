import { button } from "../elements/button.js";
import { fill, make } from "../elements/make.js";
import { problemNotice } from "../elements/notice.js";
import { segmented } from "../elements/segmented.js";
import { chartSkeleton } from "../elements/skeleton.js";
import { get, isAborted } from "../app/api.js";
import { live } from "../app/live.js";
import { spanText } from "../text/dates.js";
import { drawnGaps } from "./chart-plugins.js";
import { chartTable } from "./chart-table.js";
import { concerns } from "./garden.js";
import { PlantChart } from "./plant-chart.js";
import { t } from "../language/text.js";

/** @type {Array<{value: "day"|"week"|"month"|"year", word: string}>} */
const SPANS = [
    { value: "day", word: t`Day` }, { value: "week", word: t`Week` }, { value: "month", word: t`Month` },
    { value: "year", word: t`Year` },
];
/** Milliseconds between two looks while readings come. */
const PACE = { day: 5000, week: 30_000, month: 120_000, year: 600_000 };

const NO_READING = {
    day: t`No reading in the last day.`, week: t`No reading in the last week.`, month: t`No reading in the last month.`,
    year: t`No reading in the last year.`,
};
/** @type {"day"|"week"|"month"|"year"} */
let lastSpan = "week";

/**
 * The chart of moisture with its span, its key and its table.
 * @param {{path: `/api/plants/${string}`, signal: AbortSignal, plant: () => object}} context
 */
export function chartSection({ path, signal, plant }) {
    const chart = new PlantChart();
    const place = make("div", { class: "chart-place" }, chartSkeleton());
    const key = make("p", { class: "key" });
    const past = make("p", { class: "small second" });
    let asTable = false;
    let data = null;
    let looked = 0;
    let timer = null;
    const turn = button(t`As a table`, { kind: "quiet", press: () => { asTable = !asTable; draw(); } });
    turn.setAttribute("aria-pressed", "false");
    const node = make("section", { class: "section", "aria-labelledby": "moisture" },
        make("h2", { id: "moisture", class: "unseen" }, t`Moisture`),
        segmented(t`Span of the chart`, SPANS, lastSpan, (span) => { lastSpan = span; load(); }),
        place, key, past, make("div", { class: "chart-turn" }, turn));

    const load = async () => {
        looked = Date.now();
        const span = lastSpan;
        try {
            const answer = await get(`${path}/chart?span=${span}&quantity=moisture`, { signal });
            if (span !== lastSpan) return;
            data = answer;
            draw();
        } catch (error) {
            if (isAborted(error) || (data && error.unreachable)) return;
            data = null;
            fill(place, problemNotice(error, { retry: load }));
        }
    };
    const draw = async () => {
        if (!data) return;
        turn.setAttribute("aria-pressed", String(asTable));
        turn.hidden = data.points.length === 0;
        fill(key, keyOf(data, plant()));
        past.textContent = pastOf(plant());
        past.hidden = past.textContent === "";
        if (data.points.length === 0) {
            fill(place, make("div", { class: "chart-empty" },
                make("p", { class: "second" }, NO_READING[lastSpan])));
        } else if (asTable) fill(place, chartTable(data));
        else {
            if (place.firstElementChild !== chart) fill(place, chart);
            try {
                await chart.show(data, lastSpan);
            } catch (error) {
                fill(place, problemNotice(error, { title: t`The chart cannot be shown right now`, retry: draw }));
            }
        }
    };
    const soon = () => {
        if (timer) return;
        timer = setTimeout(() => {
            timer = null;
            load();
        }, Math.max(600, looked + PACE[lastSpan] - Date.now()));
    };
    live.addEventListener("reading", ({ detail }) => {
        if (detail.quantity === "moisture" && plant().sensors.some((sensor) => sensor.device === detail.device)) soon();
    }, { signal });
    live.addEventListener("changed", ({ detail }) => { if (concerns(detail, plant())) load(); }, { signal });
    live.addEventListener("reset", load, { signal });
    signal.addEventListener("abort", () => clearTimeout(timer));
    load();
    return { node, show: () => { if (data) draw(); } };
}

function keyOf(data, plant) {
    const forecast = plant.forecast;
    const drawn = drawnGaps(data);
    const longest = data.longestGap ?? 0;
    return [
        made("key-line", "M0 6h26", t`Measured, ${data.count} readings`),
        data.ahead && made("key-ahead", "M1 6h26", forecast?.kind === "day"
            ? t`Forecast, from ${forecast.basedOn} earlier dryings`
            : t`Forecast`),
        drawn.length > 0 && made("key-hatch", "M-2 12 10 0M4 12 16 0M10 12 22 0M16 12 28 0", drawn.length === 1
            ? t`Not known: the sensor was silent for ${spanText(longest)}`
            : t`Not known: ${drawn.length} gaps, the longest ${spanText(longest)}`),
        data.doubtful?.length > 0 && made("key-hatch", "M-2 12 10 0M4 12 16 0M10 12 22 0M16 12 28 0",
            t`Doubtful: the probe may have been out of the soil`),
        drawn.length === 0 && longest > 0 && make("span", {},
            t`${data.gaps.length} gaps too short to draw here, the longest ${spanText(longest)}`),
    ];
}

function pastOf({ forecast }) {
    if (forecast?.kind !== "day" || !Number.isFinite(forecast.medianErrorDays)) return "";
    const days = Math.round(forecast.medianErrorDays * 10) / 10;
    return t`So far the forecast was ${days} days off (median of ${forecast.basedOn}).`;
}

function made(name, d, words) {
    return make("span", {}, make("svg:svg", { viewBox: "0 0 26 12", class: name, "aria-hidden": true },
        make("svg:path", { d })), words);
}
