import { live } from "../app/live.js";
import { register } from "./registration.js";

const TIDY_AFTER = 10_000; // milliseconds: another page that is just being opened has said its build by then
const LOOK_AGAIN = 60 * 60_000; // milliseconds between two looks for a new version by a page that stays open
const PATIENCE = 1500; // milliseconds for the new worker to take over
const IDLE = 3000; // milliseconds at most that a busy first load holds the worker up

/** The build of this page. */
export const build = document.documentElement.dataset.build;

/**
 * The service worker of this page, and whether the hub has another version of the page. Events: `update` when
 * {@link Worker.isNewer} has become true.
 *
 * On a plain page there is no worker; a hub that came back is then asked for the build that it serves.
 */
class Worker extends EventTarget {
    #registration = null;
    #looked = Date.now();

    /** Whether another version than this page's is here, to be had by {@link reload}. */
    isNewer = false;

    #isStarted = false;

    /** Registers the worker once the page has nothing else to do; called when the first page is drawn. */
    async start() {
        if (this.#isStarted) return;
        this.#isStarted = true;
        await firstLoad();
        const container = navigator.serviceWorker;
        live.addEventListener("state", ({ detail }) => {
            if (detail.state === "open" && detail.was === "lost") this.#look();
        });
        document.addEventListener("visibilitychange", () => {
            if (!document.hidden && Date.now() - this.#looked > LOOK_AGAIN) this.#look();
        });
        if (!container) return;
        // Held as long as this page lives: the worker keeps the files of a build that somebody holds.
        navigator.locks?.request(`tandem-build-${build}`, { mode: "shared" }, () => new Promise(() => {}));
        container.addEventListener("controllerchange", () => this.#compare(container.controller));
        try {
            this.#registration = await register(container);
        } catch (error) {
            console.info("No service worker: these pages open only while the hub answers.", error); // not shown: for the console
            return;
        }
        this.#watch();
        this.#compare(container.controller);
        setTimeout(() => this.#registration.active?.postMessage({ type: "TIDY" }), TIDY_AFTER);
    }

    /** Opens the other version. What is stored on the device stays. */
    reload() {
        const waiting = this.#registration?.waiting;
        if (!waiting) return location.reload();
        const reload = () => location.reload();
        navigator.serviceWorker.addEventListener("controllerchange", reload, { once: true });
        // Chromium at times holds the new worker back for a request of this page that has long been answered. Leaving
        // the page ends that, and the next one is of the new build.
        setTimeout(reload, PATIENCE);
        waiting.postMessage({ type: "SKIP_WAITING" });
    }

    #watch() {
        const registration = this.#registration;
        const follow = (worker) => worker?.addEventListener("statechange", () => {
            if (worker.state === "installed") this.#compare(registration.waiting);
        });
        follow(registration.installing);
        registration.addEventListener("updatefound", () => follow(registration.installing));
        this.#compare(registration.waiting);
    }

    async #look() {
        this.#looked = Date.now();
        if (this.#registration) return this.#registration.update().catch(() => {});
        const script = await self.fetch("/sw.js", { cache: "no-cache" }).then((answer) => answer.text(), () => "");
        this.#found(/const BUILD = "(\w+)"/.exec(script)?.[1]);
    }

    /** Asks a worker for its build. The first worker of all is of this page's. */
    async #compare(worker) {
        if (!worker) return;
        const { port1, port2 } = new MessageChannel();
        port1.addEventListener("message", ({ data }) => this.#found(data), { once: true });
        port1.start();
        worker.postMessage({ type: "BUILD" }, [port2]);
    }

    #found(other) {
        if (!other || other === build || this.isNewer) return;
        this.isNewer = true;
        this.dispatchEvent(new Event("update"));
    }
}

/** Resolves when the page has loaded and has nothing better to do: the worker takes nothing from its first load. */
async function firstLoad() {
    if (document.readyState !== "complete") {
        await new Promise((done) => { addEventListener("load", done, { once: true }); });
    }
    if (!window.requestIdleCallback) return;
    await new Promise((done) => { requestIdleCallback(done, { timeout: IDLE }); });
}

/** The worker of this page. */
export const worker = new Worker();
