import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { canInstall, install } from "../../offline/install.js";
import { picture } from "./pictures.js";

/**
 * Step 3: Tandem on the home screen, where it opens without a browser around it and may show notifications.
 * @param {{here: object, isReady: boolean}} data  `isReady`: step 1 is done
 */
export function installSection({ here, isReady }) {
    if (here.isInstalled) {
        return [notice({ icon: "check", title: "It is there", words: "You opened Tandem from the home screen." })];
    }
    if (!isReady) {
        return [notice({
            icon: "lock", state: "unknown", title: "After step 1",
            words: "A browser installs only what came over HTTPS that it trusts.",
        })];
    }
    const { lead, steps } = ways(here);
    return [
        make("p", { class: "second" }, lead),
        canInstall() && make("div", { class: "row-of-buttons" },
            button("Install Tandem", { icon: "download", press: () => install() })),
        steps.length > 0 && make("ol", { class: "howto" }, steps.map(([title, words, drawn], i) => make("li", {},
            drawn,
            make("div", { class: "howto-text" },
                make("h3", {}, make("span", { class: "howto-number", "aria-hidden": true }, i + 1), title),
                make("p", { class: "small second" }, words))))),
    ];
}

function ways({ system, browser, noun }) {
    if (system === "ios") {
        return {
            lead: `On an ${noun} only what is on the home screen gets notifications and keeps what it stored.`,
            steps: [
                ["Tap Share", "The square with the arrow, below or above the page.", picture("ios", "linden.local", [
                    { bar: 70 }, { bar: 48 }, { text: "Share", icon: "share", tap: true, plain: true },
                ], { address: true })],
                ["Add to Home Screen", "Further down in the list. Then Add.", picture("ios", "Share", [
                    { bar: 38 }, { text: "Add to Home Screen", icon: "plus", tap: true, plain: true }, { bar: 52 },
                ])],
            ],
        };
    }
    if (system === "android") {
        return {
            lead: "It then has an icon of its own, and opens without the browser’s bars.",
            steps: [
                ["Open the browser’s menu", "The three dots, at the top or the bottom.",
                    picture("android", "linden.local", [
                    { text: "More", icon: "more", tap: true, plain: true }, { bar: 70 }, { bar: 48 },
                ], { address: true })],
                ["Install app", browser === "Firefox" ? "Or: Add app to Home screen." : "In some browsers: Add to Home screen.",
                    picture("android", "Menu", [
                        { bar: 44 }, { text: "Install app", icon: "download", tap: true, plain: true }, { bar: 34 },
                    ])],
            ],
        };
    }
    if (browser === "Firefox") {
        const lead = "Firefox on a computer installs no pages. A bookmark does, or open Tandem in Chrome or Edge.";
        return { lead, steps: [] };
    }
    if (browser === "Safari") {
        return { lead: "In Safari’s menu: File, Add to Dock. It then opens in a window of its own.", steps: [] };
    }
    const lead = `${browser} shows a small screen with an arrow at the end of the address bar: Install Tandem.`;
    return { lead, steps: [] };
}
