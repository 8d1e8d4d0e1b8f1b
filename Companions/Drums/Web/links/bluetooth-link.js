import { t } from "../../language/text.js";
import { bluetoothText } from "./bluetooth-text.js";
import { Link, LinkProblem } from "./link.js";
import { within } from "./within.js";

/** How long drums are looked for, and waited for when they are joined: the original's ten seconds. */
export const PATIENCE = 10_000; // milliseconds
const WRITING = 4000; // milliseconds that one write may take: the radio is gone when it takes longer
const WAITS = [150, 400, 800, 1500, 3000, 5000]; // milliseconds between tries to join lost drums again
const GIVING_UP = 5 * 60_000; // milliseconds after which lost drums are not looked for any more

/**
 * Drums over Bluetooth LE: looked for in the browser's own list, joined, and joined again by itself when the radio lost
 * them. What they speak is for the kinds of it, in {@link Link.opened}.
 *
 * A browser refuses a GATT operation while another is under way, so they go one after another ({@link Link.inTurn}).
 */
export class BluetoothLink extends Link {
    #device = null;
    #list = null;
    #turn = 0;
    #last = Promise.resolve();
    #impatient = () => {};

    /**
     * What the list shows, as `requestDevice` takes it.
     * @type {BluetoothLEScanFilter[]}
     */
    filters = [];
    /**
     * The service that the drums have.
     * @type {string}
     */
    service = "";

    /** The browser's name for this device on this page, or null before one was chosen. */
    get id() { return this.#device?.id ?? null; }

    /** Whether drums were chosen, so that the browser needs not ask which. */
    get isChosen() { return this.#device !== null; }

    /**
     * Takes drums that the browser knows from before.
     * @param {BluetoothDevice} device
     */
    take(device) {
        if (device === this.#device) return;
        this.#device?.removeEventListener("gattserverdisconnected", this.#wentAway);
        this.#device = device;
        this.name = device.name || this.name;
        device.addEventListener("gattserverdisconnected", this.#wentAway);
    }

    async connect() {
        if (this.isOn || this.state === "connecting") return this.isOn;
        if (this.state === "lost") {
            this.#impatient();
            return false;
        }
        const turn = this.#turn += 1;
        try {
            if (!this.#device) {
                this.become("searching");
                const device = await this.#search(turn);
                if (turn !== this.#turn) return false;
                this.take(device);
            }
            this.become("connecting");
            await this.#join();
        } catch (error) {
            if (turn !== this.#turn) return false;
            console.info("Bluetooth:", error);
            this.become("problem", bluetoothText(error, this.name));
            return false;
        }
        if (turn !== this.#turn) {
            this.#joinedLate();
            return false;
        }
        this.become("on");
        return true;
    }

    /** Looks for other drums, in the browser's list. */
    async choose() {
        this.forget();
        return this.connect();
    }

    /** Lets go of the drums, and of which they were. */
    forget() {
        this.disconnect();
        this.#device?.removeEventListener("gattserverdisconnected", this.#wentAway);
        this.#device = null;
    }

    disconnect() {
        this.#turn += 1;
        this.#impatient();
        this.become("off");
        this.closed();
        this.#device?.gatt.disconnect();
    }

    /**
     * For a kind of drums: takes what it needs of a service that was just found, and listens.
     * @param {BluetoothRemoteGATTService} service
     * @returns {Promise<void>}
     */
    async opened(service) {}

    /** For a kind of drums: what {@link opened} took is gone. */
    closed() {}

    /**
     * Does one GATT operation after those before it.
     * @template T
     * @param {() => Promise<T>} work
     * @returns {Promise<T>}
     */
    inTurn(work) {
        const done = this.#last.then(() => within(WRITING, work(), t`${this.name} does not answer.`));
        this.#last = done.then(() => {}, (error) => {
            // A radio that takes so long is gone, though the browser does not know it yet.
            if (error instanceof LinkProblem && this.isOn) this.#device?.gatt.disconnect();
        });
        return done;
    }

    /**
     * The browser's list has no way to be closed by a page: after the ten seconds it stays, and who chooses from it then
     * is still heard.
     */
    async #search(turn) {
        this.#list ??= navigator.bluetooth
            .requestDevice({ filters: this.filters, optionalServices: [this.service] })
            .finally(() => { this.#list = null; });
        const list = this.#list;
        try {
            return await within(PATIENCE, list, t`${this.name} was not found within 10 seconds. Switch it on and hold it near. In the browser’s list you can still choose it.`);
        } catch (error) {
            if (error instanceof LinkProblem) {
                list.then((device) => {
                    if (turn !== this.#turn || this.#device) return;
                    this.take(device);
                    this.connect();
                }, () => {});
            }
            throw error;
        }
    }

    /** Joins the drums that were chosen, and finds what they speak with. */
    async #join() {
        const device = this.#device;
        let isLate = false;
        const joined = (async () => {
            const server = await device.gatt.connect();
            if (isLate || device !== this.#device) return server.disconnect();
            this.#last = Promise.resolve();
            const service = await server.getPrimaryService(this.service);
            await this.opened(service);
            if (!server.connected) throw new LinkProblem(t`${this.name} went out of reach again.`);
        })();
        try {
            await within(PATIENCE, joined, t`${this.name} did not answer within 10 seconds. Switch it off and on, hold it near, and see that no other phone is connected to it.`);
        } catch (error) {
            isLate = true;
            this.closed();
            device.gatt.disconnect();
            throw error;
        }
    }

    /** The radio lost the drums: they are joined again as soon as they are heard. */
    #wentAway = async () => {
        if (!this.isOn) return;
        const turn = this.#turn += 1;
        this.closed();
        this.become("lost", t`${this.name} is out of reach. Tandem keeps looking for it.`);
        const end = performance.now() + GIVING_UP;
        for (let tries = 0; performance.now() < end; tries += 1) {
            await this.#pause(WAITS[Math.min(tries, WAITS.length - 1)]);
            if (turn !== this.#turn) return;
            try {
                await this.#join();
            } catch {
                continue; // the next try
            }
            if (turn === this.#turn) this.become("on");
            else this.#joinedLate();
            return;
        }
        if (turn === this.#turn) {
            this.become("problem", t`${this.name} did not come back. Is it switched on, and near?`);
        }
    };

    /** Drums that were let go of while they were joined do not stay joined: nobody else could have them. */
    #joinedLate() {
        if (this.state !== "off" && this.state !== "problem") return; // somebody joins them anew
        this.closed();
        this.#device?.gatt.disconnect();
    }

    #pause(milliseconds) {
        return new Promise((done) => {
            const timer = setTimeout(done, milliseconds);
            this.#impatient = () => {
                clearTimeout(timer);
                done();
            };
        });
    }
}
