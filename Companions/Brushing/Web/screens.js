import { stylesheet } from "../elements/stylesheet.js";
import { openReady } from "./ready-screen.js";
import { today, watch } from "./today.js";

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

/** What Brushing brings to the shell. */
export default {
    icon: "brushing",
    screens: [
        { path: "/brushing", open: openReady },
        later("/brushing/session", "session-screen.js", "openSession", ["stage.css"], { stage: true }),
        later("/brushing/done/:id", "done-screen.js", "openDone", ["done.css"]),
        later("/brushing/hooray/:id", "hooray-screen.js", "openHooray", ["stage.css", "child.css", "done.css"],
            { stage: true }),
        later("/brushing/tips", "tips-screen.js", "openTips", ["rooms.css"]),
        later("/brushing/settings", "settings-screen.js", "openBrushingSettings", ["rooms.css"]),
        later("/brushing/history", "history-screen.js", "openHistory", ["rooms.css", "pips.css"]),
    ],
    today,
    watch,
};
