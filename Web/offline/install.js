let offered = null;

/** Says by an event `change` that {@link canInstall} has changed. */
export const installing = new EventTarget();

/** Whether the browser would install this page now, when asked by {@link install}. */
export function canInstall() {
    return offered !== null;
}

/** Whether this page is the installed app. */
export function isInstalled() {
    return matchMedia("(display-mode: standalone)").matches || navigator.standalone === true; // not shown: a media query
}

/**
 * Has the browser ask whether to install; only after a press. Once it was asked, it says itself when it may be again.
 * @returns {Promise<boolean>}  whether the person wanted it
 */
export async function install() {
    const event = offered;
    if (!event) return false;
    set(null);
    event.prompt();
    return (await event.userChoice).outcome === "accepted";
}

function set(event) {
    offered = event;
    installing.dispatchEvent(new Event("change"));
}

addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault(); // asked at a place that says what it is good for, not over the page
    set(event);
});
addEventListener("appinstalled", () => {
    set(null);
    navigator.storage?.persist?.().catch(() => {});
});
