import { t } from "../../language/text.js";

/**
 * The awards by the engine's number: the hub's name of each, its words, what stands on the medal, and into how many
 * parts its ring is cut.
 */
const AWARDS = new Map([
    [1, { name: "first", title: t`The first one`, words: t`The first of many.`, mark: "1", parts: 1 }],
    [2, { name: "week", title: t`A whole week`, words: t`Seven days in a row.`, mark: "7", parts: 7 }],
    [3, { name: "two-weeks", title: t`Two weeks`, words: t`Fourteen days in a row.`, mark: "14", parts: 14 }],
    [4, { name: "month", title: t`Four weeks`, words: t`Twenty-eight days in a row.`, mark: "28", parts: 28 }],
    [5, { name: "hundred-days", title: t`A hundred days`, words: t`A hundred in a row.`, mark: "100", parts: 20 }],
    [6, { name: "year", title: t`A whole year`, words: t`365 days in a row.`, mark: "365", parts: 12 }],
    [11, { name: "50", title: t`Fifty`, words: t`Brushed fifty times.`, mark: "50", parts: 10 }],
    [12, { name: "100", title: t`A hundred`, words: t`Brushed a hundred times.`, mark: "100", parts: 20 }],
    [13, { name: "200", title: t`Two hundred`, words: t`Brushed two hundred times.`, mark: "200", parts: 20 }],
    [14, { name: "500", title: t`Five hundred`, words: t`Brushed five hundred times.`, mark: "500", parts: 25 }],
    [15, { name: "1000", title: t`A thousand`, words: t`Brushed a thousand times.`, mark: "1000", parts: 40 }],
    [16, { name: "2000", title: t`Two thousand`, words: t`Brushed two thousand times.`, mark: "2000", parts: 40 }],
]);

/** @param {number} number  the engine's; 0 is none @returns {object|null} */
export function awardNumbered(number) {
    return AWARDS.get(number) ?? null;
}

/** @param {string} [name]  the hub's @returns {object|null} */
export function awardNamed(name) {
    return [...AWARDS.values()].find((award) => award.name === name) ?? null;
}

/** All awards there are, those for days in a row first. */
export const allAwards = [...AWARDS.values()];
