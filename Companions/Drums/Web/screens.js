import { stylesheet } from "../elements/stylesheet.js";
import { today as band, watch } from "./today.js";

const UNHURRIED = 1500; // milliseconds: the page has been drawn by then

/** A screen that is loaded when it is opened first, with the style sheets that only it wants. */
const later = (path, file, name, styles, more = {}) => ({
    path, ...more,
    open: async (place) => {
        const [module] = await Promise.all([
            import(`./${file}`), ...styles.map((one) => stylesheet(`drums/${one}`)),
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
    const { settleLeft } = await import("./play/kept-run.js");
    await settleLeft();
}

/** What Drums brings to the shell. */
export default {
    icon: "drums",
    screens: [
        later("/drums", "songs/songs-screen.js", "openSongs", ["rooms.css"]),
        later("/drums/play/:song", "play/play-screen.js", "openPlay", ["play/play.css"], { stage: true }),
        later("/drums/done/:id", "play/done-screen.js", "openDone", ["play/done.css"]),
        later("/drums/session/:id", "session-page/session-screen.js", "openSessionPage", ["rooms.css"]),
        later("/drums/data", "data/data-screen.js", "openData", ["rooms.css"]),
        later("/drums/day/:date", "day/day-screen.js", "openDay", ["rooms.css"]),
        later("/drums/report", "report/report-screen.js", "openReport", ["rooms.css"]),
        later("/drums/settings", "settings/settings-screen.js", "openDrumSettings", ["rooms.css"]),
    ],
    today,
    watch,
    begin: {
        title: "Drums",
        says: "Four pads on the screen are enough: the music waits for each hit, and Tandem keeps what was practised.",
        tryTitle: "Show me the songs",
        try: async () => "/drums",
    },
};
