// Every screen, loaded together when one of them is opened first.
export { openReady } from "./ready-screen.js";
export { openSession } from "./session/session-screen.js";
export { openDone } from "./summary/done-screen.js";
export { openHooray } from "./session/hooray-screen.js";
export { openTips } from "./tips/tips-screen.js";
export { openBrushingSettings } from "./settings/settings-screen.js";
export { openHistory } from "./history/history-screen.js";
