// Every screen, loaded together when one of them is opened first.
export { openSongs } from "./songs/songs-screen.js";
export { openPlay } from "./play/play-screen.js";
export { openFirstSong } from "./first-song/first-song-screen.js";
export { openDone } from "./play/done-screen.js";
export { openSessionPage } from "./session-page/session-screen.js";
export { openData } from "./data/data-screen.js";
export { openDay } from "./day/day-screen.js";
export { openGoals } from "./goals/goals-screen.js";
export { openReport } from "./report/report-screen.js";
export { openDrumSettings } from "./settings/settings-screen.js";
