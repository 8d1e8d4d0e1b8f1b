import { Problem } from "../app/problem.js";
import { engine } from "../engine/engine.js";
import { t } from "../language/text.js";
import { PACKET } from "./engine-constants.js";
const BAUD = 115_200;
const PATIENCE = 45_000; // milliseconds: to find out that a network cannot be joined, a toy needs half of it
const HUB = 0xE0; // Tandem’s own command: which hub it belongs to

const WIFI = 1;

/** Why a toy is not set up. @param {string} title @param {string} detail */
const trouble = (title, detail) => new Problem(0, { title, detail });

/** What a toy says went wrong, by the numbers of Improv Wi-Fi. */
const SAID = new Map([
    [1, t`The toy cannot take this name or this password. Look at both once more.`],
    [2, t`What is plugged in there is no trivia toy of Tandem’s, or its firmware is too old.`],
    [3, t`The toy could not join this network. Is the password right, and is it a network of 2.4 GHz that reaches the toy?`],
    [5, t`The toy does not know yet which hub it belongs to. Try again.`],
]);

const refused = (number) => trouble(t`The toy could not do it`,
    SAID.get(number) ?? t`The toy could not be set up, and does not say why. Try again.`);
const silent = () => trouble(t`The toy does not answer`,
    t`Is it switched on, and is this the right cable? Some cables only charge.`);
const gone = () => trouble(t`The cable is gone`, t`Is the toy still plugged in? Plug it in, and try again.`);

/** Whether this browser can speak to a cable at all. */
export const hasSerial = () => "serial" in navigator;

/** A toy at a cable. What the bytes say is the engine’s; this passes them on. After an error it can be told again at once. */
export class ToyCable {
    #port;
    #rules;
    #reader = null;
    /** @type {{command: number, done: () => void, failed: (error: Error) => void} | null} */
    #waits = null;
    /** Whether it was closed, or came out. */
    isClosed = false;

    constructor(port, rules) {
        this.#port = port;
        this.#rules = rules;
    }

    /**
     * Asks which cable, which wants a press, and opens it.
     * @returns {Promise<ToyCable | null>}  null where none was chosen
     */
    static async open() {
        let port;
        try {
            port = await navigator.serial.requestPort();
        } catch (error) {
            if (error.name === "NotFoundError") return null;
            throw trouble(t`This page may not use the cable`,
                t`The browser does not let it. Its settings for this page say whether cables are allowed.`);
        }
        const rules = await engine("toy");
        try {
            await port.open({ baudRate: BAUD });
        } catch {
            throw trouble(t`The cable cannot be opened`,
                t`Perhaps another program uses it, or another tab does. Close that, and try again.`);
        }
        const cable = new ToyCable(port, rules);
        cable.#listen();
        return cable;
    }

    /** Tells the toy which hub it belongs to. @param {{host: string, port: number, device: string, token: string}} hub */
    async tellHub({ host, port, device, token }) {
        const [where, who, secret] = [host, device, token].map((text) => new TextEncoder().encode(text));
        this.#rules.put(joined(where, who, secret));
        const count = this.#rules.call.improvHub(where.length, port, who.length, secret.length);
        if (count <= 0) {
            throw trouble(t`This address does not fit`, t`The address of the hub has at most 64 letters.`);
        }
        await this.#ask(HUB, this.#rules.answer(count));
    }

    /** Has the toy join a network, and returns when it has. @param {string} name @param {string} password */
    async join(name, password) {
        const [ssid, secret] = [name, password].map((text) => new TextEncoder().encode(text));
        this.#rules.put(joined(ssid, secret));
        const count = this.#rules.call.improvJoin(ssid.length, secret.length);
        if (count === 0) {
            throw trouble(t`This name does not fit`, t`The name of a Wi-Fi has at most 32 letters, and letters like ü count twice.`);
        }
        if (count < 0) {
            throw trouble(t`This password does not fit`, t`The password of a Wi-Fi has at most 63 letters, and letters like ü count twice.`);
        }
        await this.#ask(WIFI, this.#rules.answer(count));
    }

    /** Lets go of the cable. */
    async close() {
        if (this.isClosed) return;
        this.isClosed = true;
        await this.#reader?.cancel().catch(() => {});
        await this.#port.close().catch(() => {});
    }

    async #ask(command, packet) {
        if (this.isClosed) throw gone();
        const answered = new Promise((done, failed) => { this.#waits = { command, done: () => done(), failed }; });
        const timer = setTimeout(() => this.#waits?.failed(silent()), PATIENCE);
        try {
            const writer = this.#port.writable?.getWriter();
            if (!writer) throw gone();
            try {
                await writer.write(packet);
            } catch {
                throw gone();
            } finally {
                writer.releaseLock();
            }
            await answered;
        } finally {
            clearTimeout(timer);
            this.#waits = null;
        }
    }

    async #listen() {
        this.#rules.call.improvReset();
        try {
            this.#reader = this.#port.readable.getReader();
            while (true) {
                const { value, done } = await this.#reader.read();
                if (done) break;
                this.#rules.call.improvReceive(this.#rules.put(value));
                let count;
                while ((count = this.#rules.call.improvNext()) > 0) this.#take(this.#rules.answer(count));
            }
        } catch {
            // It came out: whoever waits hears of it below.
        }
        this.isClosed = true;
        this.#waits?.failed(gone());
    }

    #take([kind, first]) {
        if (kind === PACKET.errorState && first !== 0) this.#waits?.failed(refused(first));
        if (kind === PACKET.result && first === this.#waits?.command) this.#waits.done();
    }
}

function joined(...parts) {
    const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
    let place = 0;
    for (const part of parts) {
        all.set(part, place);
        place += part.length;
    }
    return all;
}
