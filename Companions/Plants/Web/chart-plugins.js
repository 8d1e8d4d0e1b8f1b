import { t } from "../language/text.js";
import { role } from "../app/theme.js";

const DROP = "M12 3c3.7 4.2 6.3 7.5 6.3 11a6.3 6.3 0 0 1-12.6 0c0-3.5 2.6-6.8 6.3-11z";
const TICK = "M9 14l2.3 2.3L15.2 12";

/**
 * What lies under the line: gaps hatched, the spread of the readings, the plant's limits dotted, the forecast's band.
 * The chart's answer is read from `options.plugins.tandem.data`.
 */
export const ground = {
    id: "tandemGround",
    beforeDatasetsDraw(chart) {
        const data = chart.options.plugins.tandem.data;
        const { ctx, chartArea: area, scales: { x, y } } = chart;
        ctx.save();
        ctx.beginPath();
        ctx.rect(area.left, area.top, area.width, area.height);
        ctx.clip();
        for (const [from, to] of drawnGaps(data)) hatch(ctx, x.getPixelForValue(from), x.getPixelForValue(to), area);
        // What was measured and is doubted stands on the same ground.
        for (const [from, to] of data.doubtful ?? []) hatch(ctx, x.getPixelForValue(from), x.getPixelForValue(to), area);
        ctx.fillStyle = role("--mark");
        ctx.globalAlpha = 0.18;
        for (const run of [...unbroken(data), data.ahead?.points ?? []]) {
            band(ctx, run.map(([at, , low, high]) => [
                x.getPixelForValue(at), y.getPixelForValue(low), y.getPixelForValue(high),
            ]));
        }
        ctx.globalAlpha = 1;
        ctx.restore();
        for (const limit of Object.values(data.limits ?? {})) {
            if (limit >= y.min && limit <= y.max) dotted(ctx, y.getPixelForValue(limit), area);
        }
    },
};

/** What lies over the line: now, the waterings, and where the forecast meets the lower limit. */
export const marks = {
    id: "tandemMarks",
    afterDatasetsDraw(chart) {
        const data = chart.options.plugins.tandem.data;
        const { ctx, chartArea: area, scales: { x, y } } = chart;
        const ink = role("--ink");
        const tint = role("--tint");
        ctx.save();
        ctx.lineWidth = 1.5;
        ctx.strokeStyle = ink;
        waterings(ctx, data, x, area, ink, tint);
        if (data.ahead) {
            const at = Math.round(x.getPixelForValue(data.now)) + 0.5;
            line(ctx, at, area.top, at, area.bottom);
            ctx.fillStyle = ink;
            ctx.font = `600 13px ${role("--face")}`;
            ctx.textBaseline = "top";
            ctx.fillText(t`now`, at + 7, area.top + 1);
            crossing(ctx, data.ahead.crossing, data.limits?.low, x, y, ink, tint);
        }
        const last = data.points.at(-1);
        if (last) dot(ctx, x.getPixelForValue(last[0]), y.getPixelForValue(last[1]), ink, tint);
        ctx.restore();
    },
};

/**
 * The gaps that a chart can show: those at least as long as one of its points. Shorter ones lie within a point.
 */
export function drawnGaps({ gaps, bucket }) {
    return gaps.filter(([from, to]) => to - from >= bucket);
}

/**
 * The runs of points between gaps, so that neither line nor band goes through what is not known. A point stands at the
 * beginning of its bucket: the first one after a gap moves to the gap's end.
 */
export function unbroken(data) {
    const gaps = drawnGaps(data);
    const runs = [[]];
    let g = 0;
    for (const point of data.points) {
        let begins = point[0];
        while (g < gaps.length && gaps[g][0] < point[0]) {
            if (runs.at(-1).length > 0) runs.push([]);
            begins = Math.max(begins, gaps[g][1]);
            g += 1;
        }
        runs.at(-1).push([begins, ...point.slice(1)]);
    }
    return runs.filter((run) => run.length > 0);
}

function hatch(ctx, left, right, area) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, area.top, Math.max(2, right - left), area.height);
    ctx.clip();
    ctx.strokeStyle = role("--edge");
    ctx.lineWidth = 1;
    ctx.beginPath();
    // The lines stand on a grid of the whole chart, so that neighbouring gaps agree.
    for (let x = Math.floor((left - area.height) / 6) * 6; x < right; x += 6) {
        ctx.moveTo(x, area.bottom);
        ctx.lineTo(x + area.height, area.top);
    }
    ctx.stroke();
    ctx.restore();
}

function band(ctx, edges) {
    if (edges.length < 2) return;
    ctx.beginPath();
    edges.forEach(([x, , high], i) => (i === 0 ? ctx.moveTo(x, high) : ctx.lineTo(x, high)));
    for (const [x, low] of edges.toReversed()) ctx.lineTo(x, low);
    ctx.fill();
}

function dotted(ctx, y, area) {
    ctx.save();
    ctx.strokeStyle = role("--mark");
    ctx.lineWidth = 1.5;
    ctx.lineCap = "round";
    ctx.setLineDash([1, 4]);
    line(ctx, area.left, y, area.right, y);
    ctx.restore();
}

/** Drops; where they would stand on each other, ticks. */
function waterings(ctx, data, x, area, ink, tint) {
    let right = -Infinity;
    for (const watering of data.waterings.toSorted((a, b) => a.at - b.at)) {
        const at = x.getPixelForValue(watering.at);
        if (at < area.left || watering.at > data.now) continue;
        if (at - right < 17) line(ctx, at, area.bottom - 6, at, area.bottom);
        else {
            drop(ctx, at, area.bottom - 26, watering, ink, tint);
            right = at;
        }
    }
}

function drop(ctx, x, top, watering, ink, tint) {
    ctx.save();
    ctx.translate(x - 9, top);
    ctx.scale(0.75, 0.75);
    ctx.lineWidth = 2;
    ctx.lineJoin = ctx.lineCap = "round";
    ctx.fillStyle = tint;
    ctx.fill(new Path2D(DROP));
    ctx.strokeStyle = ink;
    ctx.stroke(new Path2D(DROP));
    if (watering.by !== "hand") ctx.stroke(new Path2D(TICK));
    ctx.restore();
}

function crossing(ctx, cross, low, x, y, ink, tint) {
    if (!cross || low === undefined) return;
    const level = y.getPixelForValue(low);
    const earliest = Math.max(x.getPixelForValue(cross.earliest), x.left);
    if (earliest >= x.right) return;
    ctx.lineWidth = 3.5;
    line(ctx, earliest, level, Math.min(x.getPixelForValue(cross.latest), x.right), level);
    if (cross.at > x.max) return;
    ctx.lineWidth = 2;
    ctx.fillStyle = tint;
    ctx.strokeStyle = role("--mark");
    circle(ctx, x.getPixelForValue(cross.at), level, 5.5);
    ctx.strokeStyle = ink;
}

function dot(ctx, x, y, ink, tint) {
    ctx.lineWidth = 2;
    ctx.fillStyle = ink;
    ctx.strokeStyle = tint;
    circle(ctx, x, y, 5.5);
}

function circle(ctx, x, y, r) {
    ctx.beginPath();
    ctx.arc(x, y, r, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
}

function line(ctx, x1, y1, x2, y2) {
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
}
