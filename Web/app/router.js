/** Why a screen's signal is aborted where nobody leaves it: the same address is drawn once more. */
export class DrawnAnew extends DOMException {
    constructor() {
        // not shown: an error that nobody sees
        super("The screen is drawn anew.", "AbortError");
    }
}

/**
 * Finds the screen for an address and keeps the browser's history. A screen is a function that draws into its element;
 * it is given a signal that is aborted when the screen is left, which ends its requests, listeners and timers.
 */
export class Router {
    #routes = [];
    #show;
    #leaving = null;
    #path = null; // of the screen that is open
    #isFirst = true; // a page begins at its top: scrolling it there would force a layout

    /** @param {(route: object, place: {params: object, signal: AbortSignal, back: boolean}) => any} show */
    constructor(show) {
        this.#show = show;
        history.scrollRestoration = "manual";
        addEventListener("popstate", (event) => this.#open(true, event.state?.scroll ?? 0));
        document.addEventListener("click", (event) => this.#follow(event));
    }

    /** @param {{path: string}} route  `path` may hold `:name` in place of a part */
    add(route) {
        const names = [];
        const pattern = route.path.replace(/:(\w+)/g, (_, name) => {
            names.push(name);
            return "([^/]+)";
        });
        this.#routes.push({ route, names, pattern: new RegExp(`^${pattern}/?$`) });
    }

    /** Forgets all routes. */
    clear() {
        this.#routes = [];
    }

    /** Opens the screen of the present address. */
    start() {
        return this.#open(false, 0);
    }

    /** Leaves the screen that is open, without opening another. */
    leave() {
        this.#path = null;
        this.#leaving?.abort();
    }

    /**
     * Goes to an address of this app.
     * @param {string} path
     * @param {{replace?: boolean}} [options]
     */
    go(path, options = {}) {
        if (options.replace) history.replaceState(null, "", path);
        else {
            history.replaceState({ scroll: scrollY }, "");
            history.pushState(null, "", path);
        }
        return this.#open(false, 0);
    }

    async #open(back, scroll) {
        const path = location.pathname;
        this.#leaving?.abort(path === this.#path ? new DrawnAnew() : undefined);
        const leaving = new AbortController();
        this.#leaving = leaving;
        this.#path = path;
        for (const { route, names, pattern } of this.#routes) {
            const found = pattern.exec(path);
            if (!found) continue;
            const params = Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(found[i + 1])]));
            const isFirst = this.#isFirst;
            this.#isFirst = false;
            await this.#show(route, { params, signal: leaving.signal, back });
            if (!isFirst && !leaving.signal.aborted) scrollTo({ top: scroll, behavior: "instant" });
            return;
        }
    }

    #follow(event) {
        const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
        const plain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
        if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
        const to = new URL(link.href, location.href);
        if (to.origin !== location.origin || to.pathname.startsWith("/api/") || to.pathname.startsWith("/app/")) return;
        if (to.hash && to.pathname === location.pathname) return;
        event.preventDefault();
        this.go(to.pathname + to.search + to.hash);
    }
}
