import { live } from "./live.js";

/**
 * What this page and one device of the household say to each other at once, past everything that is stored: a cue to a
 * lamp, and what was pressed. It goes over the page's one live connection, and holds again after each reconnect.
 *
 * One page at a time holds a device; the newest that opens it. `message` brings what the device said (`bytes`, and
 * `at`, this page's `performance.now()`), `lost` how many messages did not arrive (`count`), `state` that `state`
 * changed.
 *
 * @typedef {{message: {bytes: Uint8Array, at: number}, lost: {count: number}, state: null}} ChannelEvents
 */
export class DeviceChannel extends /** @type {Events<ChannelEvents>} */ (EventTarget) {
    #device;
    #state = "off";
    #reason = null;

    /** @param {string} device the device's id. */
    constructor(device) {
        super();
        this.#device = device;
    }

    get device() { return this.#device; }

    /**
     * "off" (not opened), "waiting" (the hub is away, or has not answered yet), "on", "away" (the device itself is not
     * connected), "taken" (another page plays with it) or "refused" (`reason` says why).
     */
    get state() { return this.#state; }

    /** The hub's words while the state is "refused", else null. */
    get reason() { return this.#reason; }

    /** Opens the channel, and keeps it open. After "taken" and "refused" it asks anew. */
    open() {
        if (this.#state === "off") {
            for (const [type, listener] of this.#listeners) live.addEventListener(type, listener);
        } else if (this.#state !== "taken" && this.#state !== "refused") return;
        this.#set("waiting");
        this.#attach();
    }

    /** Lets go of the device. */
    close() {
        if (this.#state === "off") return;
        for (const [type, listener] of this.#listeners) live.removeEventListener(type, listener);
        if (this.#state !== "taken") live.send({ type: "detach", device: this.#device });
        this.#set("off");
    }

    /**
     * Says something to the device. It is not stored for a device or a hub that is away.
     *
     * @param {string} data each character one byte.
     * @returns {boolean} whether it left this page.
     */
    send(data) {
        return this.#state === "on" && live.send({ type: "send", device: this.#device, data });
    }

    #attach() { live.send({ type: "attach", device: this.#device }); }

    #set(state, reason = null) {
        if (state === this.#state && reason === this.#reason) return;
        this.#state = state;
        this.#reason = reason;
        this.dispatchEvent(new Event("state"));
    }

    /** A listener of the live connection, for messages about this device. */
    #about(act) {
        return ({ detail }) => { if (detail.device === this.#device) act(detail); };
    }

    /** @type {Array<[keyof LiveEvents, (event: CustomEvent) => void]>} */
    #listeners = [
        ["device.message", this.#about(({ data }) => {
            const bytes = Uint8Array.from([...data].map((character) => character.charCodeAt(0)));
            this.dispatchEvent(new CustomEvent("message", { detail: { bytes, at: performance.now() } }));
        })],
        ["device.link", this.#about(({ isConnected }) => this.#set(isConnected ? "on" : "away"))],
        ["device.taken", this.#about(() => this.#set("taken"))],
        ["device.lost", this.#about(({ count }) => {
            this.dispatchEvent(new CustomEvent("lost", { detail: { count } }));
        })],
        ["refused", this.#about(({ reason }) => this.#set("refused", reason))],
        ["state", ({ detail }) => {
            // A device that another page has taken is not taken back by a connection that was renewed.
            if (this.#state === "taken" || this.#state === "refused") return;
            this.#set("waiting");
            if (detail.state === "open") this.#attach();
        }],
    ];
}
