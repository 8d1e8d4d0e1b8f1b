import { get, post, put, remove } from "../app/api.js";
import { Problem, messageOf } from "../app/problem.js";
import { ResponseOrder } from "../app/response-order.js";
import { signIn } from "../app/sign-in.js";
import { bytesOfURL } from "../engine/base64.js";
import { t } from "../language/text.js";

const SUBSCRIPTION = "tandem.push-subscription"; // which subscription the hub has taken
const PATIENCE = 10_000; // milliseconds for a service worker that is being installed, and for a browser's answer

/**
 * Notifications of this device: its subscription with the browser's push service, and the hub's knowledge of it. An
 * event `change` when {@link Push.is} has changed.
 */
class Push extends EventTarget {
    /**
     * What is known: `can` as the wizard judges it (`state`, `says`, `around`), `isOn`, `people` (ids), `lastError` and
     * `host` as the hub tells them; null before it was looked.
     */
    is = null;

    /** Why the hub did not take a subscription that changed by itself, in words; it is sent again at each opening. */
    refused = null;

    #key = null;
    #id = null;
    #order = new ResponseOrder();

    /**
     * Looks what this device can do and what the hub knows of it.
     * @param {AbortSignal} [signal]
     */
    async look(signal) {
        const isCurrent = this.#order.sent();
        const [data, can] = await Promise.all([get("/api/push", { signal }), judged()]);
        if (!isCurrent()) return this.look(signal);
        const mine = can.state === "works" ? await subscribed() : null;
        this.#key = data.key;
        this.#set(data, { can, isOn: Boolean(mine && data.subscription) });
    }

    /**
     * Asks the person for the permission, subscribes, and tells the hub. Only after a press.
     * @param {string[]} people  whose reminders come here
     * @returns {Promise<"granted"|"denied"|"default">}  the browser's answer; nothing was done unless it is granted
     */
    async subscribe(people) {
        const answer = await window.Notification.requestPermission();
        if (answer !== "granted") return answer;
        this.#key ??= (await get("/api/push")).key;
        // One that the hub does not know may be one that its push service has ended: another is made.
        await this.#tell(await this.#subscription(this.#id === null), people);
        return answer;
    }

    /** Ends the subscription, with the hub and here. */
    async unsubscribe() {
        if (this.#id) await remove(`/api/push/subscriptions/${encodeURIComponent(this.#id)}`);
        this.#order.stored();
        await (await subscribed())?.unsubscribe().catch(() => {});
        await this.look();
    }

    /**
     * Says whose reminders come here.
     * @param {string[]} people
     */
    async hearOf(people) {
        await put(`/api/push/subscriptions/${encodeURIComponent(this.#id)}`, { people });
        this.#order.stored();
        this.#set({ ...this.is.data, subscription: { ...this.is.data.subscription, people } }, {});
    }

    /** Has the hub send one to this device now. */
    async sendOne() {
        await post(`/api/push/subscriptions/${encodeURIComponent(this.#id)}/try`);
    }

    /**
     * Puts right what changed while nobody looked: the hub has another key than the subscription was made with, or
     * the browser made another subscription that the hub has not taken yet. Says nothing but {@link Push.refused}; a
     * device that has no subscription is left alone.
     */
    async mend() {
        if (window.Notification?.permission !== "granted") return;
        const mine = await subscribed();
        if (!mine) return;
        const data = await get("/api/push", { quiet: true });
        const people = data.subscription?.people;
        if (!people || (isOf(mine, data.key) && mine.endpoint === lastData())) return;
        this.#key = data.key;
        try {
            await this.#tell(await this.#subscription(false), people);
        } catch (error) {
            if (!(error instanceof Problem) || error.unreachable) throw error;
            this.refused = messageOf(error);
            this.dispatchEvent(new Event("change"));
        }
    }

    async #subscription(isAnother) {
        const { pushManager } = await worker();
        const mine = await pushManager.getSubscription();
        if (mine && !isAnother && isOf(mine, this.#key)) return mine;
        await mine?.unsubscribe().catch(() => {});
        return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOfURL(this.#key) });
    }

    async #tell(subscription, people) {
        const { endpoint, keys } = subscription.toJSON();
        await post("/api/push/subscriptions", { endpoint, keys, people });
        this.#order.stored();
        this.refused = null;
        rememberData(endpoint);
        await this.look();
    }

    #set(data, more) {
        const { subscription } = data;
        this.#id = subscription?.id ?? null;
        this.is = {
            ...this.is, data, people: subscription?.people ?? [], lastError: subscription?.lastError ?? null,
            host: data.endpointHost ?? null, ...more,
        };
        this.dispatchEvent(new Event("change"));
    }
}

/**
 * Whose reminders a device gets that says nothing else: its own person's, and the children's.
 * @returns {string[]}
 */
export function usualPeople() {
    const isUsual = ({ id, role }) => id === signIn.profile.id || (signIn.isAdult && role === "child");
    return signIn.people.filter(isUsual).map(({ id }) => id);
}

/** What the wizard says of notifications on this device. */
async function judged() {
    const [{ capabilities }, { readEnvironment, readTrust }] = await Promise.all([
        import("../pages/welcome/capabilities.js"), import("../pages/welcome/environment.js"),
    ]);
    const [here, trust] = await Promise.all([readEnvironment(window), readTrust(window)]);
    return capabilities(here, { origin: location.origin, trust }).find(({ id }) => id === "push");
}

/** This device's subscription; null for none, and where the browser does not answer in time. */
async function subscribed() {
    const late = new Promise((done) => { setTimeout(done, PATIENCE, null); });
    const asked = navigator.serviceWorker?.getRegistration().then((found) => found?.pushManager?.getSubscription());
    return await Promise.race([Promise.resolve(asked).catch(() => null), late]) ?? null;
}

/** The worker that shows notifications, once it is at work. */
function worker() {
    return new Promise((done, failed) => {
        const detail = t`The part that shows notifications did not start. Load the page again.`;
        setTimeout(() => failed(new Problem(0, { detail })), PATIENCE);
        navigator.serviceWorker.ready.then(done, failed);
    });
}

/** The address of the subscription that the hub took last from this browser. */
function lastData() {
    try {
        return localStorage.getItem(SUBSCRIPTION);
    } catch {
        return null;
    }
}

function rememberData(endpoint) {
    try {
        localStorage.setItem(SUBSCRIPTION, endpoint);
    } catch {
        // A browser that keeps nothing tells the hub again at each opening, which takes it as the same.
    }
}

/** Whether a subscription was made with a hub's key. */
function isOf(subscription, key) {
    const own = subscription.options?.applicationServerKey;
    if (!own) return true; // this browser does not tell
    const [one, other] = [new Uint8Array(own), bytesOfURL(key)];
    return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

/** The subscription of this device. */
export const push = new Push();
