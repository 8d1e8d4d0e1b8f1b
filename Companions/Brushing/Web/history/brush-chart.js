import { chartAxis } from "../../elements/chart-axis.js";
import { chartLibrary } from "../../elements/chart-library.js";
import { ChartPoint } from "../../elements/chart-point.js";
import { role, theme } from "../../app/theme.js";
import { durationText } from "../../text/durations.js";
import { barLabel, barName, chartText } from "./statistics-text.js";
import { t } from "../../language/text.js";

/**
 * `<brush-chart>`: statistics as the hub tells them, brushings as bars or the habit as a curve. Colours are read from
 * the page's roles and read again when the theme changes.
 */
export class BrushChart extends HTMLElement {
    #quantity;
    #chart = null;
    #loaded = null;
    #perDay = 2;
    /** Of the bars, those that have something to say. */
    #shown = [];
    #leaving = null;
    #canvas = document.createElement("canvas");
    #point = new ChartPoint((index) => this.#mark(index));

    /** @param {"sessions"|"habit"} quantity */
    constructor(quantity) {
        super();
        this.#quantity = quantity;
    }

    connectedCallback() {
        this.dataset.quantity = this.#quantity;
        this.#leaving = new AbortController();
        theme.addEventListener("change", () => this.#draw(), { signal: this.#leaving.signal });
        if (!this.#canvas.isConnected) this.append(this.#canvas, this.#point.range);
    }

    disconnectedCallback() {
        this.#leaving.abort();
        this.#chart?.destroy();
        this.#chart = null;
    }

    /**
     * Draws an answer of `/api/brushing/people/ID/statistics`.
     * @param {object} loaded
     * @param {number} [perDay]  how many brushings a day asks for: days and weeks are drawn up to all of theirs
     */
    async show(loaded, perDay = this.#perDay) {
        this.#loaded = loaded;
        this.#perDay = perDay;
        const { bars } = loaded;
        const shown = bars.map((_, i) => i).filter((i) => !this.#isHabit || Number.isFinite(bars[i].habitPercent));
        this.#point.take(shown, (at) => `${barName(loaded.by, bars[shown[at]])}: ${this.#barWords(bars[shown[at]]).join(", ")}`);
        this.#shown = shown;
        this.#canvas.setAttribute("role", "img");
        this.#canvas.setAttribute("aria-label", chartText(loaded, this.#quantity));
        const Chart = await chartLibrary();
        if (!this.isConnected || loaded !== this.#loaded) return;
        if (this.#chart) this.#draw();
        else this.#chart = new Chart(this.#canvas, { type: this.#isHabit ? "line" : "bar", ...this.#config() });
    }

    /** What the chosen bar says; it belongs below the chart. */
    get said() { return this.#point.said; }

    /** What there is to say of a bar. */
    #barWords({ habitPercent, sessions, seconds, days, completeDays }) {
        return [
            this.#isHabit ? t`${Math.round(habitPercent)} of 100` : t`${sessions} sessions, ${durationText(seconds)}`,
            days > 1 ? t`Goal met on ${completeDays} of ${days} days` : completeDays > 0 ? t`Goal met` : t`Goal not met`,
        ];
    }

    #mark(at) {
        const index = this.#shown[at];
        const element = this.#chart?.getDatasetMeta(0).data[index];
        if (!element) return;
        const active = [{ datasetIndex: 0, index }];
        this.#chart.setActiveElements(active);
        this.#chart.tooltip.setActiveElements(active, { x: element.x, y: element.y });
        this.#chart.update("none");
    }

    get #isHabit() { return this.#quantity === "habit"; }

    #draw() {
        if (!this.#chart) return;
        const { data, options } = this.#config();
        this.#chart.data = data;
        this.#chart.options = options;
        this.#chart.update("none");
    }

    #config() {
        const { by, bars } = this.#loaded;
        const axis = barAxis(this.#isHabit, Math.max({ day: this.#perDay, week: 7 * this.#perDay }[by] ?? 4, ...bars.map(({ sessions }) => sessions)));
        const mark = role("--mark", this);
        const small = { family: role("--face"), size: 13 };
        const line = {
            borderColor: mark, borderWidth: 2.5, pointRadius: bars.length > 1 ? 0 : 4, pointHoverRadius: 5,
            pointHitRadius: 16, pointBackgroundColor: mark, tension: 0, borderJoinStyle: "round", spanGaps: false,
        };
        const bar = {
            backgroundColor: mark, hoverBackgroundColor: role("--deep", this), maxBarThickness: 44,
            categoryPercentage: 0.82, barPercentage: 1,
        };
        return {
            data: {
                labels: bars.map((one) => barLabel(by, one)),
                datasets: [{
                    data: bars.map((one) => (this.#isHabit ? one.habitPercent ?? NaN : one.sessions)),
                    ...(this.#isHabit ? line : bar),
                }],
            },
            options: {
                animation: false, responsive: true, maintainAspectRatio: false,
                onClick: ({ x }) => this.#point.nearest(this.#chart.scales.x.getValueForPixel(x)),
                interaction: { mode: "index", intersect: false },
                layout: { padding: { top: 8, left: 2 } },
                scales: {
                    x: {
                        ticks: {
                            maxRotation: 0, autoSkip: true, autoSkipPadding: 10, color: role("--ink-3"), font: small,
                        },
                        grid: {
                            drawOnChartArea: false, tickLength: 6, borderColor: role("--edge"),
                            tickColor: role("--edge"),
                        },
                        offset: true,
                    },
                    y: {
                        position: "right", min: axis.from, max: axis.to,
                        afterBuildTicks: (scale) => { scale.ticks = axis.ticks.map(({ at }) => ({ value: at })); },
                        ticks: {
                            padding: 6, autoSkip: false, color: role("--ink-3"), font: small,
                            callback: (_, i) => axis.ticks[i]?.label ?? "",
                        },
                        grid: { color: role("--line"), drawBorder: false, drawTicks: false },
                        afterFit: (axis) => { axis.width = 40; }, // both charts stand on the same days
                    },
                },
                plugins: {
                    legend: { display: false },
                    tooltip: {
                        displayColors: false, cornerRadius: 8, padding: 10, caretSize: 0, caretPadding: 12,
                        titleFont: { ...small, weight: 400 }, footerFont: { ...small, weight: 400 },
                        bodyFont: { family: role("--face"), size: 15, weight: 600 },
                        backgroundColor: role("--ink"), titleColor: role("--on-ink"), bodyColor: role("--on-ink"),
                        footerColor: role("--on-ink"),
                        callbacks: {
                            title: ([item]) => barName(by, bars[item.dataIndex]),
                            label: ({ dataIndex: i }) => this.#barWords(bars[i])[0],
                            footer: ([{ dataIndex: i }]) => this.#barWords(bars[i])[1],
                        },
                    },
                },
            },
        };
    }
}

/**
 * The standing axis: of a habit all of its hundred, of brushings whole ones only, up to what is asked for or was done.
 * @param {boolean} isHabit
 * @param {number} most
 */
export function barAxis(isHabit, most) {
    return isHabit ? chartAxis(0, 100, { steps: 2, isWhole: true }) : chartAxis(0, most, { steps: Math.min(3, most - 1), isWhole: true });
}

customElements.define("brush-chart", BrushChart);
