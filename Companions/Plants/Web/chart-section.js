import { button } from "../elements/button.js";
import { compareChoice } from "../elements/compare-choice.js";
import { fill, make } from "../elements/make.js";
import { calmNotice, problemNotice } from "../elements/notice.js";
import { segmented } from "../elements/segmented.js";
import { chartSkeleton } from "../elements/skeleton.js";
import { get, isAborted } from "../app/api.js";
import { now } from "../app/clock.js";
import { live } from "../app/live.js";
import { shortDate, spanText, startOf } from "../text/dates.js";
import { chartPaging } from "./chart-paging.js";
import { drawnGaps } from "./chart-plugins.js";
import { chartTable } from "./chart-table.js";
import { concerns } from "./plant-store.js";
import { PlantChart } from "./plant-chart.js";
import { t } from "../language/text.js";

/** @type {Array<{value: "day"|"week"|"month"|"year"|"decade", word: string}>} */
const SPANS = [
    { value: "day", word: t`Day` }, { value: "week", word: t`Week` }, { value: "month", word: t`Month` },
    { value: "year", word: t`Year` }, { value: "decade", word: t`Years` },
];
/** Milliseconds between two looks while readings come. */
const PACE = { day: 5000, week: 30_000, month: 120_000, year: 600_000, decade: 3_600_000 };

const NO_READING = {
    day: t`No reading in the last day.`, week: t`No reading in the last week.`, month: t`No reading in the last month.`,
    year: t`No reading in the last year.`, decade: t`No reading in the last ten years.`,
};
/** What lies just before, in the choice of what to compare with; ten years are compared with nothing. */
const BEFORE = {
    day: t`The day just before`, week: t`The week just before`, month: t`The month just before`,
    year: t`The year just before`,
};
const DAY = 86_400_000;
const LENGTH = { day: DAY, week: 7 * DAY, month: 30 * DAY, year: 365 * DAY, decade: 3650 * DAY };
/** @type {"day"|"week"|"month"|"year"|"decade"} */
let lastSpan = "week";

/**
 * The chart of what a plant's sensors measure: which of it, how much of the past and up to which day, over which earlier
 * stretch, with its key and its table.
 * @param {{path: `/api/plants/${string}`, signal: AbortSignal, plant: () => object}} context
 */
export function chartSection({ path, signal, plant }) {
    const chart = new PlantChart();
    const place = make("div", { class: "chart-place" }, chartSkeleton());
    const key = make("p", { class: "key" });
    const past = make("p", { class: "small second" });
    let quantity = "moisture";
    /** Up to when it goes, UTC milliseconds; null is now. */
    let end = null;
    /** @type {""|"before"|"year"} */
    let against = "";
    let asTable = false;
    let data = null;
    let looked = 0;
    let timer = null;
    let asked = 0;
    const turn = button(t`As a table`, { kind: "quiet", press: () => { asTable = !asTable; draw(); } });
    turn.setAttribute("aria-pressed", "false");
    const quantities = make("div", { class: "chart-quantities" });
    const paging = chartPaging({
        earlier: () => page(-1), later: () => page(1),
        day: (day) => goTo(startOf(day + 1)),
    });
    const compared = compareChoice((chosen) => { against = chosen; load(); });
    const compareWith = () => {
        compared.node.hidden = lastSpan === "decade";
        if (lastSpan !== "decade") compared.show(BEFORE[lastSpan], against);
    };
    compareWith();
    const heading = make("h2", { id: "moisture", class: "unseen" }, t`Moisture`);
    const node = make("section", { class: "section", "aria-labelledby": "moisture" },
        heading, quantities,
        segmented(t`Span of the chart`, SPANS, lastSpan, (span) => { lastSpan = span; chart.said.hidden = true; compareWith(); load(); }),
        paging.node, place, chart.said, key, past,
        make("div", { class: "chart-turn" },
            compared.node, turn));

    const title = () => plant().quantities?.find((one) => one.quantity === quantity)?.title ?? t`Moisture`;
    const load = async () => {
        looked = Date.now();
        const number = asked += 1;
        const query = new URLSearchParams({ span: lastSpan, quantity });
        if (end !== null) query.set("end", String(end));
        if (against && lastSpan !== "decade") query.set("against", against);
        try {
            const answer = await get(`${path}/chart?${query}`, { signal });
            if (number !== asked) return;
            data = answer;
            draw();
        } catch (error) {
            if (isAborted(error) || (data && error.unreachable)) return;
            data = null;
            turn.hidden = true;
            fill(place, calmNotice(error, { retry: load }));
        }
    };
    const goTo = (time) => {
        end = time >= now() ? null : time;
        chart.said.hidden = true;
        load();
    };
    const page = (steps) => {
        if (steps > 0 ? end === null : paging.isFirst) return;
        goTo((end ?? data?.to ?? now()) + steps * LENGTH[lastSpan]);
    };
    const draw = async () => {
        if (!data) return;
        turn.setAttribute("aria-pressed", String(asTable));
        turn.hidden = data.points.length === 0;
        heading.textContent = title();
        paging.show(data, lastSpan, end === null);
        fill(key, keyOf(data, plant()));
        past.textContent = quantity === "moisture" && end === null ? [plant().trend, pastOf(plant())].filter(Boolean).join(" ") : "";
        past.hidden = past.textContent === "";
        if (asTable) chart.said.hidden = true;
        if (data.points.length === 0 && !data.earlier?.points.length) {
            fill(place, make("div", { class: "chart-empty" },
                make("p", { class: "second" }, end === null ? NO_READING[lastSpan] : t`No reading in this time.`)));
        } else if (asTable) fill(place, chartTable(data));
        else {
            if (place.firstElementChild !== chart) fill(place, chart);
            try {
                await chart.show(data, lastSpan, title());
            } catch (error) {
                fill(place, problemNotice(error, { title: t`The chart cannot be shown right now`, retry: draw }));
            }
        }
    };
    const choose = () => {
        const known = plant().quantities ?? [];
        if (quantities.dataset.known === known.map((one) => one.quantity).join()) return;
        quantities.dataset.known = known.map((one) => one.quantity).join();
        quantities.hidden = known.length < 2;
        fill(quantities, segmented(t`What the chart shows`,
            known.map((one) => ({ value: one.quantity, word: one.title })), quantity,
            (chosen) => { quantity = chosen; chart.said.hidden = true; load(); }, { areChips: true }));
    };
    const soon = () => {
        if (timer) return;
        timer = setTimeout(() => {
            timer = null;
            load();
        }, Math.max(600, looked + PACE[lastSpan] - Date.now()));
    };
    chart.onSwipe = page;
    live.addEventListener("reading", ({ detail }) => {
        if (end === null && detail.quantity === quantity
            && plant().sensors.some((sensor) => sensor.device === detail.device)) soon();
    }, { signal });
    live.addEventListener("changed", ({ detail }) => { if (concerns(detail, plant())) load(); }, { signal });
    live.addEventListener("reset", load, { signal });
    signal.addEventListener("abort", () => clearTimeout(timer));
    choose();
    load();
    return {
        node,
        show: () => {
            choose();
            if (data) draw();
        },
    };
}

function keyOf(data, plant) {
    const forecast = plant.forecast;
    const drawn = drawnGaps(data);
    const longest = data.longestGap ?? 0;
    return [
        made("key-line", "M0 6h26", t`Measured, ${data.count} readings`),
        data.earlier?.points.length > 0 && made("key-earlier", "M0 6h26", t`${shortDate(data.from - data.earlier.shift)} to ${shortDate(data.to - data.earlier.shift)}`),
        data.earlier?.points.length === 0 && make("span", {}, t`There is nothing to compare it with.`),
        data.ahead && made("key-ahead", "M1 6h26", forecast?.kind === "day"
            ? t`Forecast, from ${forecast.basedOn} earlier dryings`
            : t`Forecast`),
        drawn.length > 0 && made("key-hatch", "M-2 12 10 0M4 12 16 0M10 12 22 0M16 12 28 0", drawn.length === 1
            ? t`Not known: the sensor was silent for ${spanText(longest)}`
            : t`Not known: ${drawn.length} gaps, the longest ${spanText(longest)}`),
        data.doubtful?.length > 0 && made("key-hatch", "M-2 12 10 0M4 12 16 0M10 12 22 0M16 12 28 0",
            t`Doubtful: the probe may have been out of the soil`, make("svg:path", { class: "key-doubted", d: "M0 6h26" })),
        drawn.length === 0 && longest > 0 && make("span", {},
            t`${data.gaps.length} gaps too short to draw here, the longest ${spanText(longest)}`),
    ];
}

function pastOf({ forecast }) {
    if (forecast?.kind !== "day" || !Number.isFinite(forecast.medianErrorDays)) return "";
    const days = Math.round(forecast.medianErrorDays * 10) / 10;
    return t`So far the forecast was ${days} days off (median of ${forecast.basedOn}).`;
}

function made(name, d, words, over = null) {
    return make("span", {}, make("svg:svg", { viewBox: "0 0 26 12", class: name, "aria-hidden": true },
        make("svg:path", { d }), over), words);
}
