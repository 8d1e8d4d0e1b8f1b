import { button } from "../../elements/button.js";
import { make } from "../../elements/make.js";
import { notice } from "../../elements/notice.js";
import { canInstall, install } from "../../offline/install.js";
import { picture } from "./pictures.js";
import { t } from "../../language/text.js";

/**
 * Step 3: Tandem on the home screen, where it opens without a browser around it and may show notifications.
 * @param {{here: object, isReady: boolean}} data  `isReady`: step 1 is done
 */
export function installSection({ here, isReady }) {
    if (here.isInstalled) {
        return [notice({ icon: "check", title: t`It is there`, words: t`You opened Tandem from the home screen.` })];
    }
    if (!isReady) {
        return [notice({
            icon: "lock", state: "unknown", title: t`After step 1`,
            words: t`A browser installs only pages that came over HTTPS and that it trusts.`,
        })];
    }
    const { lead, steps } = ways(here);
    return [
        make("p", { class: "second" }, lead),
        canInstall() && make("div", { class: "row-of-buttons" },
            button(t`Install Tandem`, { icon: "download", press: () => install() })),
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
            lead: t`On an ${noun}, only what is on the home screen gets notifications and keeps what it has stored.`,
            steps: [
                [t`Tap Share`, t`The square with the arrow, below or above the page.`, picture("ios", "linden.local", [
                    { bar: 70 }, { bar: 48 }, { text: t`Share`, icon: "share", tap: true, plain: true },
                ], { address: true })],
                [t`Add to Home Screen`, t`Further down in the list. Then Add.`, picture("ios", t`Share`, [
                    { bar: 38 }, { text: t`Add to Home Screen`, icon: "plus", tap: true, plain: true }, { bar: 52 },
                ])],
            ],
        };
    }
    if (system === "android") {
        return {
            lead: t`It then has an icon of its own, and opens without the browser’s bars.`,
            steps: [
                [t`Open the browser’s menu`, t`The three dots, at the top or the bottom.`,
                    picture("android", "linden.local", [
                    { text: t`More`, icon: "more", tap: true, plain: true }, { bar: 70 }, { bar: 48 },
                ], { address: true })],
                [t`Install app`, browser === "Firefox" ? t`Or: Add app to Home screen.` : t`In some browsers: Add to Home screen.`,
                    picture("android", t`Menu`, [
                        { bar: 44 }, { text: t`Install app`, icon: "download", tap: true, plain: true }, { bar: 34 },
                    ])],
            ],
        };
    }
    if (browser === "Firefox") {
        const lead = t`Firefox on a computer installs no pages. A bookmark will do, or open Tandem in Chrome or Edge.`;
        return { lead, steps: [] };
    }
    if (browser === "Safari") {
        return { lead: t`In Safari’s menu choose File, Add to Dock. Tandem then opens in a window of its own.`, steps: [] };
    }
    const lead = t`${browser} shows a small screen with an arrow at the end of the address bar: Install Tandem.`;
    return { lead, steps: [] };
}
