import { Problem } from "./problem.js";

/** Tells the house that the right to be here has ended: an event `ended`. */
export const rights = new EventTarget();

/**
 * Asks the hub. Throws {@link Problem}; leaving the screen aborts what its signal was given to.
 * @param {"GET"|"POST"|"PUT"|"PATCH"|"DELETE"} method
 * @param {string} path
 * @param {any} [body]  sent as JSON
 * @param {{signal?: AbortSignal, quiet?: boolean}} [options]  `quiet`: a 401 is an answer, not the end of a sign-in
 * @returns {Promise<any>}  what was answered, null for an empty answer
 */
export async function ask(method, path, body, options = {}) {
    const response = await send(method, path, body, options.signal);
    if (response.ok) return response.status === 204 ? null : await read(response);
    const problem = new Problem(response.status, await words(response));
    if (response.status === 401 && !options.quiet) rights.dispatchEvent(new Event("ended"));
    throw problem;
}

/** {@link ask} by its method: `get(path, options)`, `post(path, body, options)` and so on. */
export const get = (path, options) => ask("GET", path, undefined, options);
export const post = (path, body = {}, options) => ask("POST", path, body, options);
export const put = (path, body = {}, options) => ask("PUT", path, body, options);
export const patch = (path, body = {}, options) => ask("PATCH", path, body, options);
export const remove = (path, options) => ask("DELETE", path, undefined, options);

async function send(method, path, body, signal) {
    try {
        return await fetch(path, {
            method, signal, credentials: "same-origin", cache: "no-store",
            headers: body === undefined ? {} : { "Content-Type": "application/json" },
            body: body === undefined ? undefined : JSON.stringify(body),
        });
    } catch (error) {
        if (error instanceof DOMException && error.name === "AbortError") throw error;
        throw new Problem(0, {
            detail: "The hub does not answer. Is it running, and is this device in the same network?",
        });
    }
}

async function read(response) {
    const text = await response.text();
    try {
        return text === "" ? null : JSON.parse(text);
    } catch {
        // As in a hotel, whose network answers every question with a page of its own.
        throw new Problem(0, { detail: "Something else than the hub answers at this address. Which network is this?" });
    }
}

async function words(response) {
    try {
        return await response.json();
    } catch {
        return { title: response.statusText };
    }
}

/** True for the error of a request that was given up because its screen was left. */
export function isAborted(error) {
    return error instanceof DOMException && error.name === "AbortError";
}
