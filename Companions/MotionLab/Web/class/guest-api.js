import { exchange } from "../../app/api.js";
import { Problem } from "../../app/problem.js";

const STORED = "tandem.lab.guest"; // the token of the class that this phone is in

/**
 * Asks the hub as a guest of a class, who has no account: the token is for these routes and for nothing else.
 * @param {string} method
 * @param {string} path  behind `/api/lab/guest`
 * @param {{token?: string, json?: object, signal?: AbortSignal}} [options]
 * @returns {Promise<any>}  null for an empty answer
 * @throws {Problem}
 */
export async function askAsGuest(method, path, options = {}) {
    const { token, json, signal } = options;
    const headers = token ? asGuest(token) : {};
    if (json) headers["Content-Type"] = "application/json";
    const answer = await exchange(method, `/api/lab/guest${path}`, {
        headers, bytes: json && JSON.stringify(json), signal, quiet: true,
    });
    const said = answer.status === 204 ? null : await answer.json().catch(() => ({ title: answer.statusText }));
    if (!answer.ok) throw new Problem(answer.status, said);
    return said;
}

/**
 * The header field by which the hub knows a guest.
 * @param {string} token
 * @returns {Record<string, string>}
 */
export const asGuest = (token) => ({ Authorization: `Bearer ${token}` }); // not shown: a header

/** The class that this phone is in, so that a page that is loaded again is still in it. */
export const membership = {
    /** @returns {string?} */
    get() {
        try {
            return localStorage.getItem(STORED);
        } catch {
            return null; // a browser that keeps nothing: a reload asks for the code again
        }
    },
    /** @param {string?} token  null when the class is over */
    set(token) {
        try {
            if (token) localStorage.setItem(STORED, token);
            else localStorage.removeItem(STORED);
        } catch {
            // as above
        }
    },
};
