import { laterScreens, todayThen } from "../house/later-screen.js";
import { today, watch } from "./today.js";

const later = laterScreens(() => import("./all-screens.js"));

/** A session that was left on this device for good is delivered; where there is none, its code is not loaded. */
const settle = async () => {
    const { storedSession } = await import("../sessions/stored-session.js");
    if (await storedSession("drums")) await (await import("./play/kept-run.js")).settleLeft();
};

/** What Drums brings to the shell. */
export default {
    icon: "drums",
    screens: [
        later("/drums", "openSongs", ["drums/rooms.css"]),
        later("/drums/play/:song", "openPlay", ["drums/play/play.css"], { stage: true }),
        later("/drums/done/:id", "openDone", ["drums/play/done.css"]),
        later("/drums/session/:id", "openSessionPage", ["drums/rooms.css"]),
        later("/drums/data", "openData", ["drums/rooms.css"], { isOwn: true }),
        later("/drums/day/:date", "openDay", ["drums/rooms.css"], { isOwn: true }),
        later("/drums/report", "openReport", ["drums/rooms.css"], { isOwn: true }),
        later("/drums/settings", "openDrumSettings", ["drums/rooms.css"], { isOwn: true }),
    ],
    today: todayThen(today, settle),
    watch,
    newcomers: { "drum-kit": async () => (await import("./links/newcomer.js")).KIT },
    begin: {
        title: "Drums",
        says: "Four pads on the screen are enough: the music waits for each hit, and Tandem keeps what was practised.",
        tryTitle: "Show me the songs",
        try: async () => "/drums",
    },
};
