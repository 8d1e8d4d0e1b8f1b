// The service worker of one build. `make web` puts the build's name, its files with their hashes, and the companions
// in the place of the three constants.
const BUILD = "{{BUILD}}";
/** Path without the leading slash, and its hash as Subresource Integrity writes it. */
const FILES = "{{FILES}}";
const COMPANIONS = "{{COMPANIONS}}";

const CACHE = `tandem-${BUILD}`;
const INDEX = "/index.html";
const APP = "/app/"; // below it a name never changes its content
/** The paths of this build's files: besides those below `/app/` the page, the manifest and the icons, whose names stay. */
const PATHS = new Set(Object.keys(FILES).map((name) => `/${name}`));
/** The places of the shell, which are all one page. Everything else that is navigated to is the hub's own affair. */
const PLACES = new Set(["/", "/join", "/reset", "/settings", "/settings/reminders", "/wall", "/welcome"]);
const AT_ONCE = 6; // requests while a build is taken in: the page's own come between them
const PATIENCE = 1000; // milliseconds for a window to say that it opens what a notification leads to

addEventListener("install", (event) => {
    route(event);
    event.waitUntil(takeIn());
});

addEventListener("activate", (event) => event.waitUntil(clients.claim()));

addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (request.method !== "GET" || url.origin !== location.origin) return;
    if (url.pathname.startsWith(APP)) {
        event.respondWith(file(request));
    } else if (PATHS.has(url.pathname)) {
        event.respondWith(ofThisBuild(request, url.pathname));
    } else if (request.mode === "navigate" && isPlace(url.pathname) && !isForNetwork(url)) {
        event.respondWith(ofThisBuild(request, INDEX));
    }
});

addEventListener("push", (event) => event.waitUntil(notify(event.data)));

addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(clicked(event.action, event.notification));
});

addEventListener("pushsubscriptionchange", (event) => event.waitUntil(subscribeAgain(event)));

addEventListener("message", (event) => {
    if (event.data?.type === "SKIP_WAITING") skipWaiting();
    if (event.data?.type === "BUILD") event.ports[0]?.postMessage(BUILD);
    if (event.data?.type === "TIDY") event.waitUntil(tidy());
});

/**
 * Takes in the whole build, each file checked against its hash, or fails: then the build before stays. What an attempt
 * before this one left is used, and what the build before has under the same name.
 */
async function takeIn() {
    const cache = await caches.open(CACHE);
    // The charts' library is large, and the last that a page asks for.
    const paths = [...PATHS].sort((a, b) => Number(a.includes("/vendor/")) - Number(b.includes("/vendor/")));
    const take = async () => {
        for (let path = paths.shift(); path; path = paths.shift()) {
            // What is not named after its build is asked for anew, and refused by its hash when it is another's.
            const isNamed = path.startsWith(APP);
            if (isNamed && await isHere(cache, path)) continue;
            const answer = await fetch(path === INDEX ? "/" : path, {
                integrity: FILES[path.slice(1)], cache: isNamed ? "default" : "no-cache", credentials: "same-origin",
            });
            if (!answer.ok) throw new Error(`${path} answered with ${answer.status}.`);
            await cache.put(path, path === INDEX ? await withoutPreload(answer) : answer);
        }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, take));
}

/** The page as it is stored: drawn of what the last visit knew, it asks the hub who is signed in after its first frame. */
async function withoutPreload(answer) {
    const headers = new Headers(answer.headers);
    for (const name of ["content-encoding", "content-length"]) headers.delete(name); // of the bytes on the wire
    const html = await answer.text();
    return new Response(html.replace(/<link rel="preload"[^>]*>\n?/g, ""), { headers });
}

async function isHere(cache, path) {
    if (await cache.match(path, { ignoreVary: true })) return true;
    const before = await caches.match(path, { ignoreVary: true });
    if (before) await cache.put(path, before);
    return Boolean(before);
}

/** A file of a build: this one's, or that of a page which was opened before this one came. */
async function file(request) {
    return await caches.match(request, { ignoreVary: true, ignoreSearch: true }) ?? fetch(request);
}

/** A file whose name every build has: this build's. */
async function ofThisBuild(request, path) {
    return await caches.match(path, { cacheName: CACHE, ignoreVary: true }) ?? fetch(request);
}

/**
 * Whether an address is the one way past this worker. A certificate that the browser refuses looks to a worker like no
 * hub at all, so it cannot step aside by itself; and while it answers, nobody is shown the browser's warning.
 */
function isForNetwork({ pathname, searchParams }) {
    return pathname === "/welcome" && searchParams.has("network");
}

function isPlace(path) {
    // A list, once the build has put it there.
    const slugs = /** @type {string[]} */ (/** @type {unknown} */ (COMPANIONS));
    return PLACES.has(path) || slugs.some((slug) => path === `/${slug}` || path.startsWith(`/${slug}/`));
}

/** Removes builds that no open page is of; not while another is on its way, nor while a page has yet to say its own. */
async function tidy() {
    if (registration.installing || registration.waiting || !navigator.locks) return;
    const { held } = await navigator.locks.query();
    const pages = held.filter(({ name }) => name.startsWith("tandem-build-"));
    // Each page holds one. By number: Chromium gives a lock's page another id than a worker's client.
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    if (pages.length < open.length) return;
    const used = new Set([CACHE, ...pages.map(({ name }) => name.replace("tandem-build-", "tandem-"))]);
    for (const name of await caches.keys()) {
        if (name.startsWith("tandem-") && !used.has(name)) await caches.delete(name);
    }
}

/**
 * Registers in a browser that can (Static Routing API) what needs no worker to be woken up: this build's files come
 * from its cache, the hub's API from the network.
 */
function route(event) {
    if (!event.addRoutes) return;
    event.waitUntil(event.addRoutes([
        {
            condition: {
                or: [...PATHS].map((pathname) => ({ urlPattern: { pathname }, requestMethod: "GET" })),
            },
            source: { cacheName: CACHE },
        },
        { condition: { urlPattern: { pathname: "/api/*" } }, source: "network" },
    ]).catch(() => {})); // a browser that knows other conditions asks the worker, as all others do
}

/** Shows what the hub sent. A browser that got a push wants to see something: what cannot be read is shown as well. */
async function notify(data) {
    let loaded;
    try {
        loaded = data.json();
    } catch {
        loaded = { title: "Tandem", body: await t`A reminder came that this version cannot read. Open Tandem.`, path: "/" };
    }
    await show(loaded.title, loaded.body, {
        tag: loaded.tag ?? loaded.id, at: loaded.at, actions: loaded.actions, id: loaded.id, path: loaded.path,
    });
}

/**
 * @param {string} title
 * @param {string} body
 * @param {object} options
 * @param {string} options.id
 * @param {string} options.path
 * @param {string} [options.tag]
 * @param {number} [options.at]
 * @param {Array<{action: string, title: string}>} [options.actions]
 */
function show(title, body, { tag, at, actions = [], id, path }) {
    return registration.showNotification(title, {
        body, tag, renotify: Boolean(tag), lang: "en", timestamp: at ?? Date.now(), icon: "/icons/icon-192.png",
        actions, data: { id, path: path ?? "/", tag },
    });
}

async function clicked(action, { title, body, data }) {
    const { id, path, tag } = data;
    if (action === "start") return openPage(`${path}${path.includes("?") ? "&" : "?"}start=1`);
    if (action !== "snooze") return openPage(path);
    const trouble = await snooze(id);
    if (!trouble) return tell({ type: "CHANGED" });
    const again = [{ action: "start", title: await t`Start` }, { action: "snooze", title: await t`Snooze` }];
    await show(title, `${trouble} ${body}`, { tag, id, path, actions: again });
}

/** @returns {Promise<string?>}  why it was not snoozed, in words */
async function snooze(id) {
    try {
        const answer = await fetch(`/api/reminders/${encodeURIComponent(id)}/snooze`, {
            method: "POST", credentials: "same-origin", body: "{}", headers: { "Content-Type": "application/json" },
        });
        if (answer.ok) return null;
        const { detail } = await answer.json().catch(() => ({}));
        return detail ? t`Not snoozed: ${detail}` : t`Not snoozed: the hub answered with ${String(answer.status)}.`;
    } catch {
        return t`Not snoozed: the hub did not answer.`;
    }
}

let sentences = null; // in the language of the browser, once they are wanted

/**
 * A sentence in the language of the browser: as `t` of the page (language/text.js), whose translations this build has.
 * @param {TemplateStringsArray} parts
 * @param {...string} values
 */
async function t(parts, ...values) {
    sentences ??= translations().catch(() => ({})); // without the hub, before this device has them: English
    const key = parts.map((part) => part.replaceAll("%", "%%")).join("%@");
    let next = 0;
    return ((await sentences)[key] ?? key).replace(/%[%@]/g, (mark) => (mark === "%%" ? "%" : values[next++] ?? ""));
}

/** @returns {Promise<Record<string, string>>} */
async function translations() {
    for (const wish of navigator.languages) {
        const [tag] = wish.toLowerCase().split("-");
        if (tag === "en") break;
        const name = Object.keys(FILES).find((one) => one.includes(`/language/${tag}`) && one.endsWith(".json"));
        if (name) return (await file(new Request(`/${name}`))).json();
    }
    return {};
}

/** Opens a page of the app: in a window that there is and that says it will, otherwise in a new one. */
async function openPage(path) {
    const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const window = windows.find(({ visibilityState }) => visibilityState === "visible") ?? windows[0];
    if (!window) return clients.openWindow(path);
    await window.focus().catch(() => {}); // a browser may want it otherwise
    if (!await follows(window, path)) await clients.openWindow(path);
}

function follows(window, path) {
    return new Promise((done) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => done(true);
        setTimeout(() => done(false), PATIENCE);
        window.postMessage({ type: "OPEN", path }, [port2]);
    });
}

async function tell(message) {
    for (const window of await clients.matchAll({ type: "window" })) window.postMessage(message);
}

/**
 * The browser ended a subscription: another one is made and registered with the hub, for the same people. Where the hub
 * does not take it, an open page tries again and says why, and each page that is opened later does.
 */
async function subscribeAgain({ newSubscription }) {
    const { key, subscription } = await (await fetch("/api/push", { credentials: "same-origin" })).json();
    if (!subscription) return; // this device wants none, or nobody is signed in any more
    const applicationServerKey = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")),
        (one) => one.charCodeAt(0));
    const fresh = newSubscription ?? await registration.pushManager.subscribe({
        userVisibleOnly: true, applicationServerKey,
    });
    const { endpoint, keys } = fresh.toJSON();
    const answer = await fetch("/api/push/subscriptions", {
        method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ endpoint, keys, people: subscription.people }),
    }).catch(() => null);
    if (!answer?.ok) await tell({ type: "NOT_TAKEN" });
}
