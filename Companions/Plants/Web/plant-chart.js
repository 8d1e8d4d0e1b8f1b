import { chartLibrary } from "../elements/chart-library.js";
import { ChartPoint } from "../elements/chart-point.js";
import { role, theme } from "../app/theme.js";
import { shortDate } from "../text/dates.js";
import { measured, number, withUnit } from "../text/numbers.js";
import { axisEnd, namedOnce, percentRange, timeTicks, valueAxis } from "./chart-axis.js";
import { ground, marks, unbroken } from "./chart-plugins.js";
import { chartText, pointTime } from "./chart-text.js";
import { t } from "../language/text.js";

/**
 * `<plant-chart>`: a series over time, as the hub answers it. Solid is measured, a band is a spread or a forecast's
 * interval, dots are ahead, hatching is not known. Colours are read from the page's roles and read again when the
 * theme changes. What is drawn is said in words to who does not see it.
 */
export class PlantChart extends HTMLElement {
    #chart = null;
    #data = null;
    /** @type {"day"|"week"|"month"|"year"|"decade"} */
    #span = "week";
    #leaving = null;
    #canvas = document.createElement("canvas");
    #title = "";
    /** @type {(steps: number) => any} a page was turned: -1 to what was earlier, 1 to what came after */
    onSwipe = () => {};
    #point = new ChartPoint((index) => this.#mark(index));

    constructor() {
        super();
        this.#swipes();
    }

    connectedCallback() {
        this.#leaving = new AbortController();
        theme.addEventListener("change", () => this.#repaint(), { signal: this.#leaving.signal });
        if (!this.#canvas.isConnected) this.append(this.#canvas, this.#point.range);
    }

    disconnectedCallback() {
        this.#leaving.abort();
        this.#chart?.destroy();
        this.#chart = null;
    }

    /**
     * Draws an answer of `/api/plants/ID/chart`.
     * @param {object} data
     * @param {"day"|"week"|"month"|"year"|"decade"} span
     * @param {string} title  of what was measured
     */
    async show(data, span, title) {
        const isKept = data.quantity === this.#data?.quantity;
        this.#data = data;
        this.#span = span;
        this.#title = title;
        this.#point.take(data.points.map(([at]) => at), (index) => this.#pointText(index), { isKept });
        this.#canvas.setAttribute("role", "img");
        this.#canvas.setAttribute("aria-label", chartText(data, span, title));
        const Chart = await chartLibrary();
        if (!this.isConnected || data !== this.#data) return;
        if (this.#chart) {
            this.#chart.data.datasets = this.#datasets();
            this.#chart.options.plugins.tandem.data = data;
            this.#scale(this.#chart.options.scales);
            this.#chart.update("none");
        } else this.#chart = new Chart(this.#canvas, this.#config());
    }

    /** What the chosen point says; it belongs below the chart. */
    get said() { return this.#point.said; }

    /** Shows the chosen point. */
    #mark(index) {
        const point = this.#data.points[index];
        const line = this.#chart?.data.datasets[0].data ?? [];
        // A point after a gap stands at the gap's end.
        const at = line.findIndex(({ x, y }) => !Number.isNaN(y) && x >= point[0]);
        if (at < 0) return;
        const shown = [{ datasetIndex: 0, index: at }];
        const element = this.#chart.getDatasetMeta(0).data[at];
        this.#chart.setActiveElements(shown);
        this.#chart.tooltip.setActiveElements(shown, { x: element.x, y: element.y });
        this.#chart.update("none");
    }

    #pointText(index) {
        const [at, mean, min, max, n] = this.#data.points[index];
        return t`${pointTime(at, this.#data.bucket)}: ${this.#title} ${this.#value(mean)}, ${this.#spread({ n, min, max })}`;
    }

    /** A finger that wipes to the right turns to what was earlier, as a page. */
    #swipes() {
        let from = null;
        this.addEventListener("pointerdown", (event) => {
            from = event.pointerType === "mouse" ? null : { x: event.clientX, y: event.clientY };
        });
        this.addEventListener("pointerup", (event) => {
            if (!from) return;
            const [x, y] = [event.clientX - from.x, event.clientY - from.y];
            from = null;
            if (Math.abs(x) < 60 || Math.abs(x) < 2 * Math.abs(y)) return;
            this.onSwipe(x > 0 ? -1 : 1);
        });
        this.addEventListener("pointercancel", () => { from = null; });
    }

    #repaint() {
        if (!this.#chart) return;
        this.#chart.data.datasets = this.#datasets();
        this.#scale(this.#chart.options.scales);
        Object.assign(this.#chart.options.plugins.tooltip, this.#tooltipColours());
        this.#chart.update("none");
    }

    #datasets() {
        const mark = role("--mark", this);
        const line = unbroken(this.#data).flatMap((run) => [
            ...run.map(([x, y, min, max, n]) => ({ x, y, min, max, n })), { x: run.at(-1)[0], y: NaN },
        ]);
        const common = {
            spanGaps: false, tension: 0, pointRadius: 0, pointHitRadius: 12, pointHoverRadius: 5, borderWidth: 2.5,
            borderColor: mark, pointBackgroundColor: mark,
        };
        const end = axisEnd(this.#data, this.#span);
        const ahead = (this.#data.ahead?.points ?? []).filter(([x]) => x <= end)
            .map(([x, y, low, high]) => ({ x, y, low, high }));
        const before = role("--ink-3", this);
        return [
            {
                ...common, data: line, borderJoinStyle: "round",
                // What is doubted is no solid line.
                segment: { borderDash: ({ p0, p1 }) => (isDoubted(this.#data, p0.raw.x, p1.raw.x) ? [3, 4] : undefined) },
            },
            { ...common, data: ahead, borderDash: [2, 5], borderCapStyle: "round" },
            {
                ...common, data: this.#earlier(), borderWidth: 1.5, borderColor: before, pointBackgroundColor: before,
                order: 1,
            },
        ];
    }

    /** The earlier stretch, moved to lie under this one, and broken where nothing was measured. */
    #earlier() {
        const { earlier, bucket } = this.#data;
        return (earlier?.points ?? []).flatMap(([x, y, min, max, n], i, points) => {
            const one = { x, y, min, max, n, shift: earlier.shift };
            return i > 0 && x - points[i - 1][0] > 3 * bucket ? [{ x: x - bucket, y: NaN }, one] : [one];
        });
    }

    #scale(scales) {
        const data = this.#data;
        const percent = data.unit === "%";
        const end = axisEnd(data, this.#span);
        const { min, max } = percent ? percentRange(data) : { min: undefined, max: undefined };
        const small = { family: role("--face"), size: 13 };
        Object.assign(scales.x, { min: data.from, max: end });
        scales.x.afterBuildTicks = (axis) => { axis.ticks = timeTicks(this.#span, data.from, end, axis.width); };
        scales.x.ticks.callback = (_, i, ticks) => ticks[i]?.label ?? "";
        Object.assign(scales.x.ticks, { color: role("--ink-3"), font: small });
        Object.assign(scales.x.grid, { borderColor: role("--edge"), tickColor: role("--edge") });
        const round = percent ? null : valueAxis(data);
        Object.assign(scales.y, round ? { min: round.from, max: round.to } : { min, max });
        scales.y.afterBuildTicks = (axis) => { axis.ticks = round ? round.ticks.map(({ at }) => ({ value: at })) : percentTicks(data.limits, axis); };
        scales.y.ticks.callback = (value, i) => (percent ? percentLabel(value, data.limits) : namedOnce(round.ticks, data.unit)[i]);
        Object.assign(scales.y.ticks, {
            color: ({ tick }) => role(percent && tick.value === data.limits?.low ? "--ink" : "--ink-3"),
            font: ({ tick }) => ({ ...small, weight: percent && tick?.value === data.limits?.low ? 600 : 400 }),
        });
        return scales;
    }

    #config() {
        const scales = this.#scale({
            x: {
                type: "linear", ticks: { maxRotation: 0, autoSkip: false, align: "center" },
                grid: { drawOnChartArea: false, tickLength: 6 },
            },
            y: {
                type: "linear", position: "right", ticks: { padding: 6, autoSkip: false },
                grid: { display: false, drawBorder: false },
            },
        });
        return {
            type: "line",
            data: { datasets: this.#datasets() },
            plugins: [ground, marks],
            options: {
                animation: false, responsive: true, maintainAspectRatio: false, normalized: true, parsing: false,
                onClick: ({ x }) => this.#point.nearest(this.#chart.scales.x.getValueForPixel(x)),
                interaction: { mode: "nearest", axis: "x", intersect: false },
                layout: { padding: { top: 8, left: 2 } },
                scales,
                plugins: {
                    tandem: { data: this.#data },
                    legend: { display: false },
                    tooltip: {
                        displayColors: false, cornerRadius: 8, padding: 10, caretSize: 0, caretPadding: 12,
                        titleFont: { family: role("--face"), size: 13, weight: 400 },
                        bodyFont: { family: role("--face"), size: 15, weight: 600 },
                        footerFont: { family: role("--face"), size: 13, weight: 400 },
                        ...this.#tooltipColours(),
                        callbacks: {
                            title: ([item]) => pointTime(item.raw.x, this.#data.bucket),
                            label: ({ raw }) => (raw.shift
                                ? t`${shortDate(raw.x - raw.shift)}: ${this.#value(raw.y)}` : this.#value(raw.y)),
                            footer: ([{ raw }]) => this.#spread(raw),
                        },
                    },
                },
            },
        };
    }

    /** @param {{n?: number, min?: number, max?: number, low?: number, high?: number}} point */
    #spread({ n, min, max, low, high }) {
        if (n === undefined) return t`forecast: ${this.#value(low)} to ${this.#value(high)}`;
        return n === 1 ? t`1 reading` : t`${this.#value(min)} to ${this.#value(max)}, ${n} readings`;
    }

    #tooltipColours() {
        const on = role("--on-ink");
        return { backgroundColor: role("--ink"), titleColor: on, bodyColor: on, footerColor: on };
    }

    #value(value) {
        const { unit } = this.#data;
        return withUnit(measured(value), unit);
    }
}

/** Whether what was measured from one time to another is doubted. */
function isDoubted({ doubtful }, from, to) {
    return doubtful?.some(([begin, end]) => to > begin && from < end) ?? false;
}

/** Limits first; round tens only where they stand clear of them. */
function percentTicks(limits, axis) {
    const own = limits ? [limits.low, limits.high] : [];
    const clear = (axis.max - axis.min) / Math.max(1, axis.height) * 30;
    const step = axis.max - axis.min > 60 ? 20 : 10;
    const round = [];
    for (let value = Math.ceil(axis.min / step) * step; value <= axis.max; value += step) {
        if (own.every((limit) => Math.abs(limit - value) >= clear)) round.push(value);
    }
    return [...own, ...round].filter((value) => value >= axis.min && value <= axis.max)
        .sort((a, b) => a - b).map((value) => ({ value }));
}

function percentLabel(value, limits) {
    if (value === limits?.low) return t`${Math.round(value)} dry`;
    return value === limits?.high ? t`${Math.round(value)} wet` : t`${number(value)}%`;
}

customElements.define("plant-chart", PlantChart);
