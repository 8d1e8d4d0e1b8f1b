import { language } from "../language/text.js";
import { Problem, Unreachable, unreachable, wordsOfProxy } from "./problem.js";

/**
 * Tells the app what becomes of the right to be here: an event `ended` when it has ended, `confirmed` when an adult has
 * typed their password on a device that the family shares.
 */
export const rights = new EventTarget();

const PRELOADS = "link[rel=preload][as=fetch]";
const PRESS = 5000; // milliseconds for which what a page asks is taken to come from a press
let pressed = -Infinity;
for (const type of ["pointerdown", "keydown"]) {
    addEventListener(type, (event) => {
        if (!(event instanceof KeyboardEvent && event.key === "Escape")) pressed = performance.now(); // that key asks for nothing
    }, { capture: true, passive: true });
}

/** @typedef {{signal?: AbortSignal, quiet?: boolean, isBinary?: boolean, tag?: string | null}} Options */

/**
 * Asks the hub. Throws {@link Problem}; leaving the screen aborts what its signal was given to. Where the hub wants the
 * password of an adult first, it is asked for, and the request is sent once more; who does not type it gets the problem.
 * @template {Contract.Method} M
 * @template {Contract.Paths[M]} P
 * @param {M} method
 * @param {P} path
 * @param {unknown} [body]  sent as JSON
 * @param {Options} [options]  `quiet`: a 401 is an answer, not the
 *   end of a sign-in; `isBinary`: the answer is bytes; `tag`: see {@link getTagged}
 * @returns {Promise<Contract.Answer<M, P>>}  what was answered, null for an empty answer
 */
export async function ask(method, path, body, options = {}) {
    try {
        return await askOnce(method, path, body, options);
    } catch (error) {
        if (!error.wantsPassword || !await passwordTyped({ isRead: method === "GET" })) throw error;
        return askOnce(method, path, body, options);
    }
}

/** @type {() => Promise<boolean>} */
let passwordQuestion = async () => false;

/**
 * Sets how the password is asked for. A page does that, and pages ask the hub: so it is brought here by who starts both.
 * @param {() => Promise<boolean>} question  resolves once it was typed, or with false where the question was put away
 */
export function setPasswordQuestion(question) {
    passwordQuestion = question;
}

/**
 * Asks whoever holds this device for the password of who is signed in.
 * @param {{isRead?: boolean}} [options]  `isRead`: only after a press: what a page asks for by itself opens no question
 * @returns {Promise<boolean>}  whether it was typed
 */
export async function passwordTyped(options = {}) {
    const { isRead = false } = options;
    return isRead && !isAskedFor() ? false : passwordQuestion();
}

/** Whether somebody pressed for it just now, and no other question is open, such as who is there. */
function isAskedFor() {
    return performance.now() - pressed <= PRESS && !document.querySelector("dialog[open]");
}

async function askOnce(method, path, body, options) {
    const response = await send(method, path, body, options);
    if (response.status === 204) return null;
    if (response.status === 304) {
        await response.text(); // one that nobody reads looks to Chromium like one that was given up
        return null;
    }
    if (response.ok) {
        const data = await (options.isBinary ? readBytes(response) : read(response));
        return options.tag === undefined ? data : { data, tag: response.headers.get("ETag") };
    }
    const problem = new Problem(response.status, await words(response));
    if (response.status === 401 && !options.quiet) rights.dispatchEvent(new Event("ended"));
    throw problem;
}

// {@link ask} by its method. What a path answers, and takes, is known by the hub’s own document.

/**
 * @template {Contract.Paths["GET"]} P
 * @param {P} path
 * @param {Options} [options]
 * @returns {Promise<Contract.Answer<"GET", P>>}
 */
export const get = (path, options) => ask("GET", path, undefined, options);

/**
 * As `get`, with the tag by which it is asked for again: null where it is still what this page has of it, which the hub
 * then does not send.
 * @template {Contract.Paths["GET"]} P
 * @param {P} path
 * @param {string?} tag  of what this page has; null for nothing
 * @returns {Promise<{data: Contract.Answer<"GET", P>, tag: string?}?>}
 */
export const getTagged = (path, tag) => {
    const answer = /** @type {unknown} */ (ask("GET", path, undefined, { tag }));
    return /** @type {Promise<{data: Contract.Answer<"GET", P>, tag: string?}?>} */ (answer);
};

/**
 * @template {Contract.Paths["POST"]} P
 * @param {P} path
 * @param {Contract.Body<"POST", P>} [body]
 * @param {Options} [options]
 * @returns {Promise<Contract.Answer<"POST", P>>}
 */
export const post = (path, body, options) => ask("POST", path, body ?? {}, options);

/**
 * @template {Contract.Paths["PUT"]} P
 * @param {P} path
 * @param {Contract.Body<"PUT", P>} [body]
 * @param {Options} [options]
 * @returns {Promise<Contract.Answer<"PUT", P>>}
 */
export const put = (path, body, options) => ask("PUT", path, body ?? {}, options);

/**
 * @template {Contract.Paths["PATCH"]} P
 * @param {P} path
 * @param {Contract.Body<"PATCH", P>} [body]
 * @param {Options} [options]
 * @returns {Promise<Contract.Answer<"PATCH", P>>}
 */
export const patch = (path, body, options) => ask("PATCH", path, body ?? {}, options);

/**
 * @template {Contract.Paths["DELETE"]} P
 * @param {P} path
 * @param {Options} [options]
 * @returns {Promise<Contract.Answer<"DELETE", P>>}
 */
export const remove = (path, options) => ask("DELETE", path, undefined, options);

/**
 * As `get`, for an answer that is no JSON.
 * @param {Contract.Paths["GET"]} path
 * @param {Options} [options]
 * @returns {Promise<Uint8Array>}
 */
export const getBytes = async (path, options) => {
    const bytes = await ask("GET", path, undefined, { ...options, isBinary: true });
    if (bytes instanceof Uint8Array) return bytes;
    throw new TypeError(`${path} answers no bytes`);
};

/**
 * A request whose body and header fields are no JSON's, and its answer as it came, whatever its status. A 401 ends the right
 * to be here, as with {@link ask}.
 * @param {string} method
 * @param {string} path
 * @param {{headers?: Record<string, string>, bytes?: BodyInit, signal?: AbortSignal, keepalive?: boolean,
 *   quiet?: boolean}} [options]  `quiet`: a 401 is an answer, not the end of a sign-in
 * @returns {Promise<Response>}
 * @throws {Problem} where the hub is away
 */
export async function exchange(method, path, options = {}) {
    const { headers, bytes: body, signal, keepalive, quiet } = options;
    const response = await fetched(path, { method, headers, body, signal, keepalive });
    if (response.status === 401 && !quiet) rights.dispatchEvent(new Event("ended"));
    return response;
}

function send(method, path, body, { signal, tag }) {
    return fetched(path, {
        method, signal,
        headers: {
            ...(body !== undefined && { "Content-Type": "application/json" }), ...(tag && { "If-None-Match": tag }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
    });
}

/**
 * Takes the responses that index.html asked for as it began to load and that nobody took: later they would be old, and after
 * signing in those of a stranger.
 */
export async function dropPreloads() {
    await Promise.all([...document.querySelectorAll(PRELOADS)].map(async (link) => {
        try {
            await (await fetched(link.getAttribute("href"), { method: "GET" })).arrayBuffer(); // unread, it would go on for ever
        } catch {
            // Nobody waits for it.
        }
    }));
}

/** @param {string} path @param {RequestInit} request */
async function fetched(path, request) {
    const headers = { "Accept-Language": language(), ...request.headers };
    let preload = null;
    if (request.method === "GET") preload = [...document.querySelectorAll(PRELOADS)].find((link) => link.getAttribute("href") === path);
    else dropPreloads(); // what is changed makes them old
    if (preload) delete headers["If-None-Match"]; // it is here already, whole
    try {
        const answering = self.fetch(path, { credentials: "same-origin", cache: "no-store", ...request, headers });
        preload?.remove(); // it is taken
        return await answering;
    } catch (error) {
        throw isAborted(error) ? error : unreachable(error);
    }
}

async function readBytes(response) {
    try {
        return new Uint8Array(await response.arrayBuffer());
    } catch (error) {
        throw isAborted(error) ? error : unreachable(error, "cut");
    }
}

async function read(response) {
    let text;
    try {
        text = await response.text();
    } catch (error) {
        throw isAborted(error) ? error : unreachable(error, "cut");
    }
    try {
        return text === "" ? null : JSON.parse(text);
    } catch {
        throw new Unreachable("foreign");
    }
}

async function words(response) {
    try {
        return await response.json();
    } catch (error) {
        if (isAborted(error)) throw error;
        return wordsOfProxy(response.status, response.statusText);
    }
}

/**
 * What an answer of {@link exchange} says, where it is JSON.
 * @param {Response} response
 * @throws {Problem} where it refuses
 */
export async function answered(response) {
    if (!response.ok) throw new Problem(response.status, await words(response));
    return read(response);
}

/** True for the error of a request that was given up because its screen was left. */
export function isAborted(error) {
    return error instanceof DOMException && error.name === "AbortError";
}
