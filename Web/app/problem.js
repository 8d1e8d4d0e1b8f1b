import { t } from "../language/text.js";

/** What the hub answered when it could not do what was asked (RFC 9457 problem details), or that it did not answer. */
export class Problem extends Error {
    /**
     * @param {number} status  HTTP status; 0 when no answer came
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

    /** True when the hub was not reached at all. */
    get unreachable() { return this.status === 0; }

    /** True where it goes away with the password of an adult, on a device that the family shares. */
    get wantsPassword() { return this.type === "/problems/password-needed"; }
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
