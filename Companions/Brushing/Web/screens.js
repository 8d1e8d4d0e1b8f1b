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
};
