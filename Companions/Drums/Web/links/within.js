import { LinkProblem } from "./link.js";

/**
 * What work comes to, if it does in time; else a {@link LinkProblem}.
 * @template T
 * @param {number} milliseconds
 * @param {Promise<T>} work  goes on, for who wants it still
 * @param {string} words  what is said when it takes longer
 * @returns {Promise<T>}
 */
export function within(milliseconds, work, words) {
    return new Promise((done, failed) => {
        const timer = setTimeout(() => failed(new LinkProblem(words)), milliseconds);
        work.then(done, failed).finally(() => clearTimeout(timer));
    });
}
