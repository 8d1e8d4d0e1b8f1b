import { laterScreens, todayThen } from "../app/later-screen.js";
import { today, watch } from "./today.js";
import { t } from "../language/text.js";

const later = laterScreens(() => import("./all-screens.js"));

/** A session that was left on this device for good is delivered; where there is none, its code is not loaded. */
const settle = async () => {
    const { storedSession } = await import("../sessions/stored-session.js");
    if (await storedSession("brushing")) await (await import("./session/stored-session.js")).settleLeft();
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
