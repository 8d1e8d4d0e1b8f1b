import { DeviceChannel } from "../../app/device-channel.js";
import { t } from "../../language/text.js";
import { Link, LinkProblem } from "./link.js";
import { LINK } from "../engine-constants.js";

/** A kit in the house's network, or one that the hub's own radio holds: it speaks to the hub, and the hub to this page. */
export class WiFiKit extends Link {
    #id;
    #channel = null;

    kind = LINK.wifi;
    hasOwnClock = true;

    /** @param {{id: string, name: string}} device  one of the household's drum kits */
    constructor({ id, name }) {
        super();
        this.#id = id;
        this.name = name;
    }

    get id() { return this.#id; }

    /** The id of the hub's device. */
    get device() { return this.#id; }

    async connect() {
        if (!this.#channel) {
            const channel = new DeviceChannel(this.device);
            this.#channel = channel;
            channel.addEventListener("state", () => { if (channel === this.#channel) this.#changed(channel); });
            channel.addEventListener("lost", () => {
                if (channel === this.#channel) this.dispatchEvent(new Event("lost"));
            });
            channel.addEventListener("message", ({ detail: { bytes, at } }) => {
                if (channel === this.#channel && this.isOn) this.heard(bytes, at);
            });
        }
        this.#channel.open();
        this.#changed(this.#channel);
        return this.isOn;
    }

    disconnect() {
        const channel = this.#channel;
        this.#channel = null;
        channel?.close();
        this.become("off");
    }

    async write(digit) {
        if (!this.#channel?.send(digit)) throw new LinkProblem(t`${this.name} cannot be reached right now.`);
    }

    #changed(channel) {
        const wasOn = this.isOn || this.state === "lost";
        const { state, reason } = channel;
        if (state === "on") this.become("on");
        else if (state === "refused") this.become("problem", reason ?? t`The hub did not let this page play with it.`);
        else if (state === "taken") {
            this.become("problem", t`Another page plays with ${this.name} now. Connect it here again to take it back.`);
        } else if (state === "away") {
            this.become(wasOn ? "lost" : "connecting", wasOn
                ? t`${this.name} lost the network. It goes on when it is back.`
                : t`${this.name} is not connected to the hub. Switch it on: it joins by itself.`);
        } else if (state === "waiting") {
            this.become(wasOn ? "lost" : "connecting", wasOn ? t`The hub cannot be reached right now. It goes on when the hub is back.` : null);
        }
    }
}
