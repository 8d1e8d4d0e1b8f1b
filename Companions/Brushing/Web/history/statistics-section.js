import { button } from "../../elements/button.js";
import { fill, make } from "../../elements/make.js";
import { calmNotice, problemNotice } from "../../elements/notice.js";
import { segmented } from "../../elements/segmented.js";
import { chartSkeleton } from "../../elements/skeleton.js";
import { tableScroll } from "../../elements/table-scroll.js";
import { get, isAborted } from "../../app/api.js";
import { now } from "../../app/clock.js";
import { number } from "../../text/numbers.js";
import { BrushChart } from "./brush-chart.js";
import { dayIn } from "../../text/civil.js";
import { durationText } from "../../text/durations.js";
import { barName } from "./statistics-text.js";
import { t } from "../../language/text.js";

const SPANS = [
    { value: "day", word: t`Day` }, { value: "week", word: t`Week` }, { value: "month", word: t`Month` },
    { value: "year", word: t`Year` },
];
let lastSpan = "week";

/** How often, how long, and how firm the habit is: as bars and a curve, or as a table. */
export function statisticsSection(signal) {
    const bars = new BrushChart("sessions");
    const curve = new BrushChart("habit");
    const place = make("div", { class: "statistics" }, chartSkeleton());
    let person = null;
    let data = null;
    let asTable = false;
    const turn = button(t`As a table`, { kind: "quiet", press: () => { asTable = !asTable; draw(); } });
    const node = make("section", { class: "section", "aria-labelledby": "b-statistics" },
        make("h2", { id: "b-statistics" }, t`Over time`),
        segmented(t`By`, SPANS, lastSpan, (by) => {
            lastSpan = by;
            load();
        }),
        place, make("div", { class: "chart-turn" }, turn));
    const load = async () => {
        const asked = `${person.id} ${lastSpan}`;
        const until = dayIn(person.timeZone, now());
        try {
            const path = /** @type {const} */ (`/api/brushing/people/${encodeURIComponent(person.id)}/statistics`);
            const answer = await get(`${path}?by=${lastSpan}&until=${until}`, { signal });
            if (asked !== `${person.id} ${lastSpan}`) return;
            data = answer;
            draw();
        } catch (error) {
            if (isAborted(error) || asked !== `${person.id} ${lastSpan}`) return;
            data = null;
            turn.hidden = true;
            fill(place, calmNotice(error, { retry: load }));
        }
    };
    const draw = async () => {
        const isEmpty = data.bars.every(({ sessions }) => sessions === 0);
        turn.hidden = isEmpty;
        turn.textContent = asTable ? t`As charts` : t`As a table`;
        if (isEmpty) {
            fill(place, make("p", { class: "second" },
                t`Nothing to show yet. Your first brushing appears here.`));
        } else if (asTable) fill(place, table(data));
        else {
            if (bars.parentNode?.parentNode !== place) {
                fill(place, figure(t`Brushings`, bars), figure(t`Habit, of 100`, curve));
            }
            try {
                await Promise.all([bars.show(data, person.perDay), curve.show(data)]);
            } catch (error) {
                fill(place, problemNotice(error, { title: t`The chart cannot be shown right now`, retry: draw }));
            }
        }
    };
    return {
        node,
        show: (shown) => {
            person = shown;
            load();
        },
    };
}

function figure(words, chart) {
    return make("figure", { class: "brush-figure" }, make("figcaption", { class: "small strong" }, words), chart, chart.said);
}

function table({ by, bars }) {
    const head = [[t`Brushings`], [t`Time`], [t`Goal met (days)`], [t`Habit`]];
    return tableScroll(t`Figures of the charts`,
        make("table", { class: "table" },
            make("thead", {}, make("tr", {}, make("th", { scope: "col" }, SPANS.find(({ value }) => value === by).word),
                head.map(([word]) => make("th", { scope: "col", class: "n" }, word)))),
            make("tbody", {}, bars.toReversed().map((bar) => make("tr", {},
                make("th", { scope: "row" }, barName(by, bar)),
                [number(bar.sessions), durationText(bar.seconds), t`${bar.completeDays} of ${bar.days}`,
                    Number.isFinite(bar.habitPercent) ? number(bar.habitPercent) : "–"]
                    .map((words) => make("td", { class: "n" }, words)))))));
}
