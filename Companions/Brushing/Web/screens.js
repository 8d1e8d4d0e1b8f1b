import { lazyScreens, todayThen } from "../app/lazy-screens.js";
import { today, watch } from "./today.js";
import { t } from "../language/text.js";

const later = lazyScreens(() => import("./all-screens.js"));

/** What was left on this device for good is delivered; where there is nothing, its code is not loaded. */
const settle = async () => {
    const { storedSessions } = await import("../sessions/stored-session.js");
    if ((await storedSessions("brushing")).length > 0) await (await import("./session/active-session.js")).findSessions();
};

/** What Brushing brings to the shell. */
export default {
    icon: "brushing",
    screens: [
        later("/brushing", "openReady"),
        later("/brushing/session", "openSession", ["brushing/session/session-view.css"], { fullscreen: true }),
        later("/brushing/done/:id", "openDone", ["brushing/summary/done.css"]),
        later("/brushing/hooray/:id", "openHooray",
            ["brushing/session/session-view.css", "brushing/session/child.css", "brushing/summary/done.css"], { fullscreen: true }),
        later("/brushing/tips", "openTips", ["brushing/screens.css"]),
        later("/brushing/settings", "openBrushingSettings", ["brushing/screens.css"], { isOwn: true }),
        later("/brushing/history", "openHistory", ["brushing/screens.css"], { isOwn: true }),
    ],
    today: todayThen(today, settle),
    watch,
    begin: {
        title: t`Brushing`,
        says: t`A phone and a toothbrush are enough. Tandem takes you through each quarter and remembers what is done.`,
        tryTitle: t`Show me brushing`,
        try: async () => "/brushing",
    },
};
