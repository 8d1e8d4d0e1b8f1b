import { stylesheet } from "../elements/stylesheet.js";
// Not later: a child with a brush in the mouth waits for no second round of modules.
import { openReady } from "./ready-screen.js";
import { today as band, watch } from "./today.js";

const UNHURRIED = 1500; // milliseconds: the page has been drawn by then

/** A screen that is loaded when it is opened first, with the style sheets that only it wants. */
const later = (path, file, name, styles, more = {}) => ({
    path, ...more,
    open: async (place) => {
        const [module] = await Promise.all([
            import(`./${file}`), ...styles.map((one) => stylesheet(`brushing/${one}`)),
        ]);
        return module[name](place);
    },
});

let hasLooked = false;

/** The band; and once a page, a session that was left on this device for good is delivered. */
function today(place) {
    if (!hasLooked) setTimeout(() => settle().catch(() => {}), UNHURRIED); // it stays kept, and is tried again
    hasLooked = true;
    return band(place);
}

async function settle() {
    const { settleLeft } = await import("./session/kept-run.js");
    await settleLeft();
}

/** What Brushing brings to the shell. */
export default {
    icon: "brushing",
    screens: [
        { path: "/brushing", open: openReady },
        later("/brushing/session", "session/session-screen.js", "openSession", ["session/stage.css"], { stage: true }),
        later("/brushing/done/:id", "summary/done-screen.js", "openDone", ["summary/done.css"]),
        later("/brushing/hooray/:id", "session/hooray-screen.js", "openHooray",
            ["session/stage.css", "session/child.css", "summary/done.css"], { stage: true }),
        later("/brushing/tips", "tips/tips-screen.js", "openTips", ["rooms.css"]),
        later("/brushing/settings", "settings/settings-screen.js", "openBrushingSettings", ["rooms.css"]),
        later("/brushing/history", "history/history-screen.js", "openHistory", ["rooms.css"]),
    ],
    today,
    watch,
    begin: {
        title: "Brushing",
        says: "A phone and a toothbrush are enough: Tandem leads through each quarter, and remembers.",
        tryTitle: "Show me brushing",
        try: async () => "/brushing",
    },
};
