import { now } from "../app/clock.js";
import { passwordTyped, rights } from "../app/api.js";
import { live } from "../app/live.js";
import { Problem } from "../app/problem.js";
import { ResponseOrder } from "../app/response-order.js";
import { signIn } from "../app/sign-in.js";
import { waitAfter } from "./back-off.js";
import { send, signedInHousehold } from "./delivery.js";
import { exported } from "./outbox-export.js";
import { disk } from "./database.js";
import { allEntries, change, entryBytes, keepEntry, newID, take } from "./outbox-store.js";
import { forgetLost, lost, recordWaiting } from "./waiting-record.js";
import { t } from "../language/text.js";

const COUNT_PAUSE = 200; // milliseconds between two counts while many are sent
const RECOUNT = 2000; // milliseconds after which is counted again, where the disk could not be read
const NONE = new Uint8Array(0);
const TRUST = 5000; // milliseconds for which the household last asked for is taken to be signed in still

/**
 * What is to be sent to the hub, kept on this device until the hub has said that it is stored.
 *
 * An entry is bytes for one request, under an id made here, which goes with it as its `Idempotency-Key`: sent once
 * or five times, it is stored once. Within a queue entries go in the order in which they were added, and none before
 * the one ahead of it has gone or was refused for good. They stay over reloads, sign-outs and restarts of the hub, go
 * only while their own household is signed in, and are deleted after a 2xx and by the person, by nothing else.
 * They are not encrypted on the device.
 *
 * Events: `changed` when `state` has changed; `delivered` (detail: `{id, queue, path, made, response}`, `made` the id
 * that the hub gave it or null, `response` null in the tabs that did not send it); `failed` (detail: `{id, path,
 * failed}`) when one was refused for good.
 *
 * @typedef {import("../sessions/deliver-session.js").Upload} Upload
 *
 * @typedef {{
 *   changed: null,
 *   delivered: {id: string, queue: string, path: string, made: string | null, response: unknown},
 *   failed: {id: string, path: string, failed: {status: number, title?: string, detail?: string, field?: string}},
 * }} OutboxEvents
 */
class Outbox extends /** @type {Events<OutboxEvents>} */ (EventTarget) {
    /**
     * How many wait, how many were refused, how many bytes there are, and what waited here when the browser emptied the
     * page's disk; null before they were counted first.
     */
    state = null;

    #running = null;
    #again = null;
    #timer = null;
    #counting = null;
    #failures = 0;
    #wasCounted = false; // that this browser keeps something is known
    #tabs = new BroadcastChannel("tandem-outbox");

    constructor() {
        super();
        this.#tabs.addEventListener("message", ({ data }) => {
            if (data.type !== "changed") this.dispatchEvent(new CustomEvent(data.type, { detail: data.detail }));
            this.#count();
        });
        live.addEventListener("state", ({ detail }) => {
            if (detail.state !== "open") return;
            this.deliver();
            this.#count(); // what waits still, the hub has a cookie remember
        });
        signIn.addEventListener("change", () => this.deliver());
        rights.addEventListener("confirmed", () => this.deliver({ force: true }));
        addEventListener("online", () => this.deliver());
        disk.addEventListener("closed", () => this.#count());
        // A browser that empties the disk of a page in the background may say nothing.
        document.addEventListener("visibilitychange", () => { if (!document.hidden) this.#count(); });
        this.#count();
        if (live.state === "open") this.deliver(); // it opened before this was loaded, and says so once
    }

    /**
     * Keeps a request and tries to send it. Resolves once it is on the disk, with its id; whether it was sent is
     * announced by events and by {@link outcome}.
     * @param {{queue: string, path: string, title: string, bytes?: ArrayBuffer|ArrayBufferView, method?: string,
     *   type?: string, about?: object, by?: {profile: object, household: object}, upload?: Upload}} request
     *   `queue`: what it is in order with, such as a session's or a plant's id; `title`: for a person, such as "Watered
     *   the fern"; `about`: what a page wants to show of it, a few values; `by`: who did it,
     *   where that may be others than who are signed in now; `upload`: the session that is sent in the place of
     *   bytes, and whose content is deleted with the entry
     * @returns {Promise<string>}
     * @throws {Problem} when there is no room on this device, or it keeps nothing: nothing was stored then
     */
    async add({ queue, path, title, bytes = NONE, method = "POST", type = "application/json", about = null, by = signIn, upload }) {
        const { profile, household } = by;
        const entry = {
            id: newID(), queue, person: profile.id, personName: profile.name, household: household.id,
            householdName: household.name, method, path, type, title, about, size: upload?.length ?? bytes.byteLength, madeAt: now(),
            tries: 0, lastTry: null, notBefore: null, trouble: null, failed: null, sent: false, isTakenBack: false,
            ...upload && { upload },
        };
        await keepEntry(entry, bytes);
        // From the first entry on there is something that the browser must not throw away when room is short.
        navigator.storage?.persist?.().catch(() => {});
        this.#tell("changed");
        this.deliver();
        return entry.id;
    }

    /**
     * Everything that is stored, the oldest first, without its bytes.
     * @returns {Promise<object[]>}
     */
    entries() {
        return allEntries();
    }

    /**
     * Hands over what waits, now and at each change: never an older list after a newer one.
     * @param {AbortSignal | undefined} signal
     * @param {(entries: Array<any>?) => void} take  null where this browser keeps nothing
     * @returns {Promise<void>}  until the first list was handed over
     */
    async follow(signal, take) {
        const order = new ResponseOrder();
        const read = async () => {
            const isCurrent = order.sent();
            const entries = await this.entries().catch(() => null);
            if (!signal?.aborted && isCurrent()) take(entries);
        };
        this.addEventListener("changed", read, { signal });
        await read();
    }

    /**
     * Sends what can be sent. Called when it may succeed; one at a time in all tabs together.
     * @param {{force?: boolean}} [options]  `force`: without waiting for the time of the next try
     */
    deliver(options = {}) {
        const { force = false } = options;
        if (this.#running) {
            this.#again = { force: force || this.#again?.force };
            return this.#running;
        }
        clearTimeout(this.#timer);
        this.#running = this.#rounds(force);
        return this.#running;
    }

    /**
     * Waits a little for what becomes of an entry: until it was tried, and no longer than is said.
     * @param {string} id
     * @param {number} within  milliseconds
     * @returns {Promise<{came: "delivered", response: any}|{came: "failed", failed: object}|{came: "waiting"}>}
     *   `response` is null where another tab has sent it
     */
    outcome(id, within) {
        return new Promise((done) => {
            const ended = new AbortController();
            const end = (what) => {
                clearTimeout(timer);
                ended.abort();
                done(what);
            };
            const timer = setTimeout(() => end({ came: "waiting" }), within);
            const listen = (type, loaded) => this.addEventListener(type, ({ detail }) => {
                if (detail.id === id) end(loaded(detail));
            }, { signal: ended.signal });
            listen("delivered", ({ response }) => ({ came: "delivered", response }));
            listen("failed", ({ failed }) => ({ came: "failed", failed }));
            this.deliver().then(async () => {
                const entry = (await this.entries()).find((one) => one.id === id);
                if (!entry) end({ came: "delivered", response: null });
                else end(entry.failed ? { came: "failed", failed: entry.failed } : { came: "waiting" });
            }).catch(() => {});
        });
    }

    /**
     * Waits for what the hub makes of an entry, however long it is away.
     * @param {string} id
     * @returns {Promise<any>}  its reply, null where another tab has sent it
     * @throws {Problem} where it was refused for good
     */
    untilDelivered(id) {
        return new Promise((done, reject) => {
            const ended = new AbortController();
            const listen = (type, heed) => this.addEventListener(type, ({ detail }) => {
                if (detail.id !== id) return;
                ended.abort();
                heed(detail);
            }, { signal: ended.signal });
            listen("delivered", ({ response }) => done(response));
            listen("failed", ({ failed }) => reject(new Problem(failed.status, failed)));
        });
    }

    /**
     * Deletes an entry here, and asks the hub nothing: the person wants it so.
     * @returns {Promise<boolean>}  false when it was gone already
     */
    async drop(id) {
        const found = await alone(() => change(id, () => null));
        this.#tell("changed");
        return found;
    }

    /**
     * Takes back what an entry would make. One that never left is deleted. One that may have reached the hub, though
     * no answer came, is sent again first: by its key the hub does it no second time and says what it made. In the
     * same place of the queue then goes a DELETE of that, `<path>/<id of the response>`. The hub may so make a thing in
     * order to take it back; asking whether it has it would be one more way that can be lost.
     * @returns {Promise<"deleted"|"asked"|"gone">}  `gone`: it was delivered meanwhile
     */
    async takeBack(id) {
        let came = /** @type {"deleted"|"asked"|"gone"} */ ("gone");
        // Not one at a time: it does not wait for an answer that may never come, see `take` and `#delivered`.
        await change(id, (entry) => {
            came = entry.sent === false ? "deleted" : "asked";
            return came === "deleted" ? null : { ...entry, isTakenBack: true, failed: null, notBefore: null };
        });
        this.#tell("changed");
        if (came === "asked") this.deliver();
        return came;
    }

    /** What was lost with the page's disk has been read. */
    heedLost() {
        forgetLost();
        this.#tell("changed");
    }

    /** Has one that was refused tried once more, where it stands. */
    async retry(id) {
        await alone(() => change(id, (entry) => ({ ...entry, failed: null, tries: 0, notBefore: null })));
        this.#tell("changed");
        return this.deliver();
    }

    /**
     * One entry, or all of them, as a file to keep elsewhere.
     * @param {string} [id]
     * @returns {Promise<Blob>}
     */
    async export(id) {
        const entries = await this.entries();
        return exported(id ? entries.filter((entry) => entry.id === id) : entries, entryBytes);
    }

    async #rounds(force) {
        try {
            do {
                this.#again = null;
                await this.#round(force).catch((error) => console.error("The outbox could not be read.", error)); // not shown: for the console
                force = this.#again?.force ?? false;
            } while (this.#again);
        } finally {
            this.#running = null;
        }
    }

    async #round(force) {
        if (!signIn.person) return; // signed out here, though the hub may not have heard it yet
        const waiting = (await this.entries()).filter((entry) => !entry.failed);
        if (waiting.length === 0) return;
        const held = new Set();
        let who = null;
        let asked = 0;
        for (const { order, queue, household } of waiting) {
            if (held.has(queue)) continue;
            if (!who || performance.now() - asked > TRUST) {
                who = await signedInHousehold();
                asked = performance.now();
            }
            if (who.came !== "known") return this.#stopped(who.came);
            if (household !== who.household) continue;
            let came, all;
            do {
                ({ came, all } = await alone(() => this.#attempt(order, force)));
            } while (came === "again");
            if (came === "away" || came === "signedOut") return this.#stopped(came);
            this.#failures = 0;
            if (came === "later") held.add(queue);
            if (all) break;
        }
        await this.#planNext();
    }

    /** Sends one, and writes down what came of it. */
    async #attempt(order, force) {
        const taken = await take(order, force);
        if (taken.came === "gone") this.#count(); // a page that was being left sent it, and could tell nobody
        if (taken.came !== "taken") return { came: taken.came };
        const { entry } = taken;
        const result = entry.upload
            ? await (await import("../sessions/deliver-session.js")).deliverSession(entry)
            : await send(entry, await entryBytes(entry));
        const { id, path } = entry;
        const at = Date.now();
        const tried = (now) => ({ ...now, tries: now.tries + 1, lastTry: at });
        if (result.came === "delivered") return this.#delivered(entry, result.response);
        if (result.came === "refused") {
            const { status, title, message: detail } = result.problem;
            const failed = { status, title, detail, at };
            // What is refused was not stored this time: it was if a try before was, of which nothing is known.
            const { sent } = entry;
            let isOver = false;
            await change(id, (now) => {
                isOver = now.isTakenBack && !sent;
                return isOver ? null : { ...tried(now), notBefore: null, trouble: null, failed, sent };
            });
            this.#tell(isOver ? "changed" : "failed", isOver ? null : { id, path, failed });
        } else if (result.came === "later") {
            const notBefore = at + (result.wait ?? waitAfter(entry.tries + 1));
            await change(id, (now) => ({ ...tried(now), notBefore, trouble: result.problem.message }));
            this.#tell("changed");
            // Who has just pressed for it is asked; what waited longer waits until somebody types the password.
            if (result.problem.wantsPassword) passwordTyped({ isRead: true }).catch(() => {});
        }
        return result;
    }

    /** Deletes what the hub has; what was taken back meanwhile becomes the request that says so, in its place. */
    async #delivered({ id, queue, path, title }, response) {
        let came = "delivered";
        await change(id, (now) => {
            if (!now.isTakenBack || !response?.id) return null;
            came = "again";
            return {
                ...now, id: newID(), method: "DELETE", path: `${path}/${encodeURIComponent(response.id)}`, size: 0,
                title: t`Take back: ${title}`, tries: 0, notBefore: null, trouble: null, sent: false, isTakenBack: false,
            };
        });
        this.#tell(came === "again" ? "changed" : "delivered", came === "again" ? null : { id, queue, path, made: response?.id ?? null, response });
        return { came };
    }

    /** Nobody answers, or nobody is signed in: the first is tried again in a while, the second when somebody is. */
    #stopped(came) {
        if (came !== "away") return;
        this.#failures += 1;
        this.#plan(waitAfter(this.#failures));
    }

    async #planNext() {
        const waiting = (await this.entries()).filter((entry) => !entry.failed && entry.notBefore);
        if (waiting.length === 0) return;
        this.#plan(Math.max(Math.min(...waiting.map((entry) => entry.notBefore)) - Date.now(), 500));
    }

    #plan(wait) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.deliver(), wait);
    }

    #tell(type, detail = null) {
        if (type !== "changed") this.dispatchEvent(new CustomEvent(type, { detail }));
        // What the hub answered is for the page that sent it: others ask the hub themselves.
        this.#tabs.postMessage({ type, detail: detail && { ...detail, response: null } });
        this.#count();
    }

    #count() {
        this.#counting ??= setTimeout(async () => {
            this.#counting = null;
            try {
                const entries = await this.entries();
                recordWaiting(entries);
                const failed = entries.filter((entry) => entry.failed).length;
                const bytes = entries.reduce((sum, entry) => sum + entry.size, 0);
                this.#wasCounted = true;
                this.state = { waiting: entries.length - failed, failed, bytes, lost: lost() };
                this.dispatchEvent(new Event("changed"));
            } catch {
                // A browser that keeps nothing has nothing to count; adding says so. One that is emptying its disk just now
                // has a new one soon, and what was counted before is not said any longer.
                if (!this.#wasCounted) return;
                if (this.state) {
                    this.state = null;
                    this.dispatchEvent(new Event("changed"));
                }
                setTimeout(() => this.#count(), RECOUNT);
            }
        }, this.state === null ? 0 : COUNT_PAUSE);
    }
}

/** One tab at a time. Plain pages have no locks: there two tabs may send the same, which the hub stores once. */
function alone(work) {
    return navigator.locks ? navigator.locks.request("tandem-outbox", work) : work();
}

/** The one outbox of this page. */
export const outbox = new Outbox();
