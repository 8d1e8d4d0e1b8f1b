import { laterBand, laterScreens } from "../house/later-screen.js";

const later = laterScreens("drums");

/** A session that was left on this device for good is delivered. */
const settle = async () => (await import("./play/kept-run.js")).settleLeft();

/** What Drums brings to the shell. */
export default {
    icon: "drums",
    screens: [
        later("/drums", "songs/songs-screen.js", "openSongs", ["rooms.css"]),
        later("/drums/play/:song", "play/play-screen.js", "openPlay", ["play/play.css"], { stage: true }),
        later("/drums/done/:id", "play/done-screen.js", "openDone", ["play/done.css"]),
        later("/drums/session/:id", "session-page/session-screen.js", "openSessionPage", ["rooms.css"]),
        later("/drums/data", "data/data-screen.js", "openData", ["rooms.css"], { isOwn: true }),
        later("/drums/day/:date", "day/day-screen.js", "openDay", ["rooms.css"], { isOwn: true }),
        later("/drums/report", "report/report-screen.js", "openReport", ["rooms.css"], { isOwn: true }),
        later("/drums/settings", "settings/settings-screen.js", "openDrumSettings", ["rooms.css"], { isOwn: true }),
    ],
    ...laterBand("drums", settle),
    begin: {
        title: "Drums",
        says: "Four pads on the screen are enough: the music waits for each hit, and Tandem keeps what was practised.",
        tryTitle: "Show me the songs",
        try: async () => "/drums",
    },
};
