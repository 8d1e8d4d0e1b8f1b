import { engine } from "../../engine/engine.js";

/** @typedef {Awaited<ReturnType<typeof engine>>} Engine */

/**
 * An experiment file. What may be in it, and whether a file is one, the engine says.
 * @typedef {{slug: string, title: string, seconds: number, analysis?: string,
 *   sensors: Array<{sensor: string, hertz?: number}>,
 *   parameters?: Array<{name: string, unit?: string, value: number, least?: number, most?: number}>,
 *   formulas?: Array<{name: string, unit?: string, formula: string}>,
 *   plots?: Array<{title?: string, x: string, y: string[]}>}} ExperimentFile
 */

/** An engine that reads experiments. */
export const experimentEngine = () => engine("lab");

/**
 * The built-in ones, out of the engine: they are there without the hub.
 * @param {Engine} from
 * @returns {ExperimentFile[]}
 */
export function builtIn(from) {
    const all = [];
    for (let place = 0; ; place += 1) {
        const count = from.call.builtInExperiment(place);
        if (count === 0) return all;
        all.push(JSON.parse(new TextDecoder().decode(from.answer(count))));
    }
}
