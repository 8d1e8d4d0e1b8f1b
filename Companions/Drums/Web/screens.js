import { lazyScreens, todayThen } from "../app/lazy-screens.js";
import { t } from "../language/text.js";
import { today, watch } from "./today.js";

const later = lazyScreens(() => import("./all-screens.js"));

const REPORT = "drums/self-report/self-report.css"; // asked before and after a song

/** A session that was left on this device for good is delivered; where there is none, its code is not loaded. */
const settle = async () => {
    const { storedSession } = await import("../sessions/stored-session.js");
    if (await storedSession("drums")) await (await import("./play/stored-session.js")).settleLeft();
};

/** What Drums brings to the shell. */
export default {
    icon: "drums",
    screens: [
        later("/drums", "openSongs", ["drums/screens.css", REPORT]),
        later("/drums/play/:song", "openPlay", ["drums/play/play.css", REPORT], { fullscreen: true }),
        later("/drums/first", "openFirstSong", ["drums/play/play.css", "drums/first-song/first-song.css"], { fullscreen: true }),
        later("/drums/done/:id", "openDone", ["drums/play/done.css", REPORT]),
        later("/drums/session/:id", "openSessionPage", ["drums/screens.css"]),
        later("/drums/data", "openData", ["drums/screens.css"], { isOwn: true }),
        later("/drums/day/:date", "openDay", ["drums/screens.css"], { isOwn: true }),
        later("/drums/goals", "openGoals", ["drums/screens.css"], { isOwn: true }),
        later("/drums/report", "openReport", ["drums/screens.css"], { isOwn: true }),
        later("/drums/settings", "openDrumSettings", ["drums/screens.css"], { isOwn: true }),
    ],
    today: todayThen(today, settle),
    watch,
    newcomers: { "drum-kit": async () => (await import("./links/newcomer.js")).KIT },
    begin: {
        title: t`Drums`,
        says: t`Four pads on the screen are enough: the music waits for each hit, and Tandem keeps what was practised.`,
        tryTitle: t`Show me the songs`,
        try: async () => "/drums",
    },
};
