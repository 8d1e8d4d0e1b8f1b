import { Problem, wordsOfProxy } from "../app/problem.js";
import { retryAfter } from "./back-off.js";
import { language, t } from "../language/text.js";

const PATIENCE = 30_000; // milliseconds for an answer, and besides
const SLOWEST = 10; // bytes in a millisecond of the slowest network that is waited for

/** Statuses after which the same request may well succeed later; every 5xx is one as well. */
const PASSING = new Set([408, 425, 429]);

/** Of these, the ones that say something about the hub and not about this request. */
const EVERYWHERE = new Set([429, 502, 503, 504]);

const NOT_THE_HUB = t`Something answered that is not the hub, such as the sign-in page of a network.`;

/**
 * Sends one entry. What came of it:
 *
 * - `delivered`, with the hub's `response`: a 2xx that carries the key back, and only then; also that there is nothing
 *   where something was to be deleted
 * - `signedOut`: nobody is signed in here any more
 * - `away`: no answer
 * - `later`: the hub cannot now; `wait` milliseconds where it says how long, `all` where it means every request; with its
 *   `problem`, such as that an adult has yet to type the password on a device that the family shares
 * - `refused`: it never will; with its `problem`
 *
 * @param {{id: string, method: string, path: string, type: string}} entry
 * @param {ArrayBuffer} bytes
 */
export async function send(entry, bytes) {
    let response;
    let body;
    try {
        response = await self.fetch(entry.path, {
            method: entry.method, body: bytes, credentials: "same-origin", cache: "no-store", redirect: "error",
            headers: { "Accept-Language": language(), "Content-Type": entry.type, "Idempotency-Key": entry.id },
            signal: AbortSignal.timeout(PATIENCE + bytes.byteLength / SLOWEST),
        });
        body = await response.text();
    } catch {
        return { came: "away" };
    }
    const { status } = response;
    if (response.ok) {
        if (response.headers.get("Idempotency-Key") === entry.id) return { came: "delivered", response: parsed(body) };
        return notTheHub(status);
    }
    if (entry.method === "DELETE" && status === 404 && isProblem(response)) return { came: "delivered", response: null };
    return notDelivered(response, body);
}

/**
 * What came of a request that the hub did not do, as {@link send} says it.
 * @param {Response} response
 * @param {string} body
 */
export function notDelivered(response, body) {
    const { status } = response;
    if (status === 401) return { came: "signedOut" };
    if (PASSING.has(status) || status >= 500) {
        const wait = retryAfter(response.headers.get("Retry-After"), Date.now());
        return { came: "later", wait, all: EVERYWHERE.has(status), problem: problem(response, body) };
    }
    const rejection = problem(response, body);
    return rejection.wantsPassword ? { came: "later", wait: null, all: false, problem: rejection }
        : { came: "refused", problem: rejection };
}

/**
 * What came of an answer that says 2xx and does not carry the key back: a portal on the way says 200 to everything, and
 * another machine may have the hub's address.
 * @param {number} status
 */
export const notTheHub = (status) => ({
    came: "later", wait: null, all: true, problem: new Problem(status, { detail: NOT_THE_HUB }),
});

/**
 * The household of who is signed in here, as the hub says it now: another tab may have signed in as somebody else.
 * @returns {Promise<{came: "known"|"signedOut"|"away", household?: string}>}
 */
export async function signedInHousehold() {
    try {
        const response = await self.fetch("/api/session", {
            credentials: "same-origin", cache: "no-store", signal: AbortSignal.timeout(PATIENCE),
        });
        if (response.status === 401) return { came: "signedOut" };
        // Some other machine's page of words is no answer of this hub.
        const household = response.ok ? (await response.json()).household?.id : null;
        return household ? { came: "known", household } : { came: "away" };
    } catch {
        return { came: "away" };
    }
}

/** Whether an answer that refuses has the form of the hub's (RFC 9457). */
function isProblem(response) {
    return response.headers.get("Content-Type")?.startsWith("application/problem+json") ?? false;
}

function problem(response, body) {
    const said = parsed(body) ?? wordsOfProxy(response.status);
    return new Problem(response.status, { title: said.title ?? response.statusText, detail: said.detail, type: said.type });
}

function parsed(text) {
    try {
        return text === "" ? null : JSON.parse(text);
    } catch {
        return null;
    }
}
