import { button, iconButton } from "../elements/button.js";
import { icon } from "../elements/icon.js";
import { make } from "../elements/make.js";
import { worker } from "./service-worker-client.js";
import { t } from "../language/text.js";

let isOffering = false;

/**
 * Once a page: offers the new version in a bar above everything, never takes it by itself, and not while a session runs: a page
 * that runs one says so by `document.documentElement.dataset.session`, for as long as it does.
 */
export function offerUpdates() {
    if (isOffering) return;
    isOffering = true;
    const root = document.documentElement;
    let node = null;
    const draw = () => {
        const isOffered = worker.isNewer && root.dataset.session === undefined;
        if (isOffered && !node?.isConnected) document.body.prepend(node ??= bar());
        if (!isOffered) node?.remove();
    };
    worker.addEventListener("update", draw);
    new MutationObserver(draw).observe(root, { attributes: true, attributeFilter: ["data-session"] });
    // The app is drawn anew when somebody signs in: the bar stays above it.
    new MutationObserver(() => { if (node && !node.hidden) draw(); }).observe(document.body, { childList: true });
}

function bar() {
    const node = make("div", { class: "update-bar", role: "status" },
        icon("refresh"), make("span", { class: "words" }, t`A new version is here.`),
        button(t`Reload`, { press: () => worker.reload() }),
        iconButton(t`Not now`, "close", () => { node.hidden = true; }));
    return node;
}
