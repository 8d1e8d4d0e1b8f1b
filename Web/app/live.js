import { language } from "../language/text.js";
import { rights } from "./api.js";
import { setClock } from "./clock.js";
import { frameDrawn } from "./when-idle.js";

const FIRST_WAIT = 500; // milliseconds
const LONGEST_WAIT = 15_000;
const QUIET = 25_000; // after so long without a message the hub is asked whether it is there
const PATIENCE = 5000; // for its answer
const OPENING = 5000; // milliseconds that somebody who shows something already waits for it to open
const ENDED = 4401; // close code: the right to listen has ended

/**
 * The live connection of this page. Messages of the hub come as events of their own type (`reading`, `device`,
 * `changed`, `reminder`, `reset`, and `device.message` and its like, for `device-channel.js`), with the message as
 * `detail`; `state` says that the connection itself changed.
 *
 * What was missed while it was down is asked for by the number of the last message (`resume`). Where the hub no
 * longer has it, and at the very first connection, `reset` says: load everything again.
 */
class Live extends /** @type {Events<LiveEvents>} */ (EventTarget) {
    #socket = null;
    #resume = null;
    #failures = 0;
    #timer = null;
    #state = "off";
    #heard = 0;
    #asking = false;

    /** "off" (switched off here), "connecting" (never open yet), "open" or "lost". */
    get state() { return this.#state; }

    /** When it ceased to be open, this browser's clock in UTC milliseconds; null while it is open. */
    since = Date.now();

    /** Whether the page wants to be connected: the switch of the original. */
    get wanted() { return this.#state !== "off"; }

    /**
     * Waits while the connection is opened for the first time.
     * @returns {Promise<boolean>}  whether it is open now, and has told its `reset`; false at once where it was not being
     *   opened, and after a moment where it takes its time
     */
    async isJustOpened() {
        if (this.#state !== "connecting") return false;
        await new Promise((done) => {
            this.addEventListener("state", done, { once: true });
            setTimeout(done, OPENING);
        });
        return this.state === "open";
    }

    /** Opens the connection, and keeps it open from now on. */
    connect() {
        if (this.wanted) return;
        this.#set("connecting");
        // What the last visit knew is shown first.
        frameDrawn().then(() => { if (this.#state === "connecting" && !this.#socket) this.#open(); });
    }

    /** Closes the connection, and keeps it closed. */
    disconnect() {
        this.#set("off");
        this.#drop();
    }

    /** Forgets where the stream was, for another person's sign-in. */
    forget() {
        this.disconnect();
        this.#resume = null;
    }

    /** Tries at once instead of when the wait is over. */
    retry() {
        if (!this.wanted || this.#state === "open") return;
        this.#drop();
        this.#open();
    }

    /** The network of this device went away: what is open now is not to be trusted. */
    doubt() {
        if (!this.wanted) return;
        this.#drop();
        this.#set("lost");
        this.#later();
    }

    /**
     * Says something to the hub, for a device that this page plays with.
     *
     * @returns {boolean} whether there was a connection to say it on.
     */
    send(message) {
        if (this.#state !== "open") return false;
        this.#socket.send(JSON.stringify(message));
        return true;
    }

    /**
     * Makes sure that an open connection is one. A phone that left the house receives nothing: only
     * a question that nobody answers shows it.
     */
    async check() {
        if (this.#state !== "open" || this.#asking || performance.now() - this.#heard < QUIET) return;
        this.#asking = true;
        try {
            await self.fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE) });
            this.#heard = performance.now();
        } catch {
            if (this.#state === "open") this.doubt();
        } finally {
            this.#asking = false;
        }
    }

    #open() {
        const address = new URL("/api/live", location.href);
        address.protocol = address.protocol.replace("http", "ws");
        if (this.#resume) address.searchParams.set("resume", this.#resume);
        address.searchParams.set("language", language());
        const socket = new WebSocket(address);
        this.#socket = socket;
        socket.addEventListener("message", (event) => this.#receive(socket, event.data));
        socket.addEventListener("close", (event) => this.#closed(socket, event.code));
    }

    #receive(socket, text) {
        if (socket !== this.#socket) return;
        this.#heard = performance.now();
        let message;
        try {
            message = JSON.parse(text);
        } catch {
            return; // Not a message of this contract; the next one may be.
        }
        if (message.type === "hello") {
            const first = this.#resume === null;
            this.#failures = 0;
            setClock(message.now);
            this.#resume = message.id ?? this.#resume;
            this.#set("open");
            if (first) this.#tell({ type: "reset" });
            return;
        }
        this.#resume = message.id ?? this.#resume;
        this.#tell(message);
    }

    #closed(socket, code) {
        if (socket !== this.#socket) return;
        this.#socket = null;
        if (code === ENDED) {
            this.#set("off");
            rights.dispatchEvent(new Event("ended"));
            return;
        }
        if (!this.wanted) return;
        this.#set("lost");
        this.#later();
    }

    #later() {
        clearTimeout(this.#timer);
        const wait = Math.min(FIRST_WAIT * 2 ** this.#failures, LONGEST_WAIT);
        this.#failures += 1;
        // Many pages that lost the same hub do not all come back in the same moment.
        this.#timer = setTimeout(() => this.#open(), wait * (0.75 + Math.random() / 2));
    }

    #drop() {
        clearTimeout(this.#timer);
        const socket = this.#socket;
        this.#socket = null;
        socket?.close();
    }

    #set(state) {
        if (state === this.#state) return;
        const was = this.#state;
        if (state === "open") this.since = null;
        else if (was === "open") this.since = Date.now();
        this.#state = state;
        this.dispatchEvent(new CustomEvent("state", { detail: { was, state, failures: this.#failures } }));
    }

    #tell(message) {
        this.dispatchEvent(new CustomEvent(message.type, { detail: message }));
    }
}

/** The one live connection of this page. */
export const live = new Live();

addEventListener("offline", () => live.doubt());
addEventListener("online", () => live.retry());
addEventListener("pageshow", (event) => { if (event.persisted) live.retry(); });
document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    live.retry();
    live.check();
});
setInterval(() => { if (!document.hidden) live.check(); }, QUIET / 2);
