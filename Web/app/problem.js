import { t } from "../language/text.js";

/**
 * What the hub answered when it could not do what was asked (RFC 9457 problem details); what the page itself refuses; or, as
 * {@link Unreachable}, that no answer came.
 */
export class Problem extends Error {
    /**
     * @param {number} status  HTTP status; 0 where no answer of the hub is behind it
     * @param {{title?: string, detail?: string, field?: string, type?: string,
     *   errors?: Array<{field: string, detail: string}>}} body
     */
    constructor(status, body) {
        super(body.detail ?? body.title ?? t`The hub answered with status ${String(status)} and no words.`);
        this.name = "Problem"; // not shown: of the class
        this.status = status;
        this.title = body.title ?? null;
        /** The kind of problem, where the hub says one. */
        this.type = body.type ?? null;
        /** The field of the form that it is about, where it is about one. */
        this.field = body.field ?? null;
        /** What is to be said at which field, where there is something at several. */
        this.errors = body.errors ?? (this.field ? [{ field: this.field, detail: this.message }] : []);
    }

    /** True when the hub was not reached at all: of an {@link Unreachable} alone. */
    get unreachable() { return false; }

    /** True where it goes away with the password of an adult, on a device that the family shares. */
    get wantsPassword() { return this.type === "/problems/password-needed"; }
}

/**
 * What is said of an answer that the hub did not write: what stands before it, such as a reverse proxy, has limits of its own,
 * and answers in its place where it does not reach it.
 * @param {number} status
 * @param {string} [otherwise]  where nothing is known of it
 * @returns {{title?: string, detail?: string}}
 */
export function wordsOfProxy(status, otherwise) {
    if (status === 413) {
        return {
            title: t`Too large for the proxy`,
            detail: t`What stands before the hub, such as a reverse proxy, takes nothing this large: the hub has not seen it. Its limit has to be raised; in nginx it is client_max_body_size 32m.`,
        };
    }
    if ([502, 503, 504].includes(status)) {
        return {
            title: t`The proxy does not reach the hub`,
            detail: t`What stands before the hub answers in its place, with status ${String(status)}: is the hub running?`,
        };
    }
    return { title: otherwise };
}

/**
 * Why no answer of the hub came, as far as a page can know it: `silent`, also where a browser refuses the certificate, which
 * it says to no page; `offline`, by the device itself; `late`, given up after a while; `cut`, in the middle of the answer;
 * `foreign`, where something else answers, as the sign-in page of a hotel's network does.
 * @typedef {"silent"|"offline"|"late"|"cut"|"foreign"} Reason
 */

/** @type {Record<Reason, {title: string, detail: string}>} */
const NO_ANSWER = {
    silent: {
        title: t`No answer from the hub`, detail: t`The hub does not answer. Is it running, and is this device in the same network?`,
    },
    offline: { title: t`No network`, detail: t`This device has no network at the moment. Is its Wi-Fi switched on?` },
    late: { title: t`The hub takes too long`, detail: t`The hub takes too long to answer. Please try again in a moment.` },
    cut: { title: t`The answer broke off`, detail: t`The connection broke off in the middle of the hub’s answer. Please try again.` },
    foreign: {
        title: t`This is not the hub`,
        detail: t`Something other than the hub answers at this address. Is this device in the right network?`,
    },
};

/** No answer of the hub came. */
export class Unreachable extends Problem {
    /** @param {Reason} reason */
    constructor(reason) {
        super(0, NO_ANSWER[reason]);
        /** @type {Reason} */
        this.reason = reason;
    }

    get unreachable() { return true; }
}

/**
 * What a request that failed says of why.
 * @param {unknown} error  what `fetch` has thrown, or reading its answer
 * @param {Reason} [otherwise]  where it says nothing
 */
export function unreachable(error, otherwise = "silent") {
    if (error instanceof DOMException && error.name === "TimeoutError") return new Unreachable("late");
    return new Unreachable(navigator.onLine === false ? "offline" : otherwise);
}

/**
 * The words for any error: a problem's own; for a fault of this page, that it is one.
 * @param {unknown} error
 */
export function messageOf(error) {
    if (error instanceof Problem) return error.message;
    if (isUnloaded(error)) {
        return t`The hub did not answer while this page was being loaded. Open it again when the hub is back.`;
    }
    console.error(error);
    return t`This page made a mistake. Load it again; if it comes back, the browser’s console says more.`;
}

/** A part of the page that the hub did not send: Chromium, Firefox and Safari each have words of their own for it. */
function isUnloaded(error) {
    return error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message);
}
