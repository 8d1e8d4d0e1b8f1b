import { laterBand, laterScreens } from "../house/later-screen.js";

const later = laterScreens("brushing");

/** A session that was left on this device for good is delivered. */
const settle = async () => (await import("./session/kept-run.js")).settleLeft();

/** What Brushing brings to the shell. */
export default {
    icon: "brushing",
    screens: [
        later("/brushing", "ready-screen.js", "openReady"),
        later("/brushing/session", "session/session-screen.js", "openSession", ["session/stage.css"], { stage: true }),
        later("/brushing/done/:id", "summary/done-screen.js", "openDone", ["summary/done.css"]),
        later("/brushing/hooray/:id", "session/hooray-screen.js", "openHooray",
            ["session/stage.css", "session/child.css", "summary/done.css"], { stage: true }),
        later("/brushing/tips", "tips/tips-screen.js", "openTips", ["rooms.css"]),
        later("/brushing/settings", "settings/settings-screen.js",
            "openBrushingSettings", ["rooms.css"], { isOwn: true }),
        later("/brushing/history", "history/history-screen.js", "openHistory", ["rooms.css"], { isOwn: true }),
    ],
    ...laterBand("brushing", settle),
    begin: {
        title: "Brushing",
        says: "A phone and a toothbrush are enough: Tandem leads through each quarter, and remembers.",
        tryTitle: "Show me brushing",
        try: async () => "/brushing",
    },
};
