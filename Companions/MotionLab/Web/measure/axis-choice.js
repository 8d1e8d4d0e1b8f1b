import { segmented } from "../../elements/segmented.js";
import { t } from "../../language/text.js";

/** Of several axes the one that swings most, and the length of all together: values of the choice beside the axes' own. */
export const STRONGEST = "strongest";
export const LENGTH = "length";

/**
 * Which axis is shown: the strongest, one of them, or the length.
 * @param {string[]} axes
 * @param {string} value
 * @param {(value: string) => void} choose
 * @param {boolean} [hasLength]
 */
export function axisChoice(axes, value, choose, hasLength = true) {
    return segmented(t`Which axis`, [
        { value: STRONGEST, word: t`Strongest` }, ...axes.map((axis) => ({ value: axis, word: axis })),
        ...(hasLength ? [{ value: LENGTH, word: t`Length` }] : []),
    ], value, choose);
}

/** What is to be known of the length, where it was chosen. */
export const lengthNote = () => t`The length has no direction: what swings to and fro is twice as fast in it.`;

/**
 * What a choice draws of a chart of the hub's.
 * @param {MotionLab.ChartResponse} chart
 * @param {string} choice
 */
export function chosenAxis(chart, choice) {
    if (choice === LENGTH && chart.hasLength) {
        return {
            name: t`length`, low: (point) => point.magnitudeLow, mean: (point) => point.magnitude, high: (point) => point.magnitudeHigh,
        };
    }
    const found = chart.axes.indexOf(choice);
    const place = found < 0 ? chart.strongest : found;
    return {
        name: chart.axes[place], low: (point) => point.low[place], mean: (point) => point.mean[place], high: (point) => point.high[place],
    };
}

/** Whether gravity is taken out of a sensor's curves: it hides what swings, and differs with how a phone lies. */
export const gravityOf = (sensor) => (sensor === "accelerometer" ? "without" : "with");
