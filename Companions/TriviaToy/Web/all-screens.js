// Every screen, loaded together when one of them is opened first.
export { openCategories } from "./categories-screen.js";
export { openFact } from "./fact-screen.js";
export { openHistory } from "./history-screen.js";
export { openImport } from "./import-screen.js";
export { openMessages } from "./messages-screen.js";
export { openOriginal } from "./original-screen.js";
export { openPlayer } from "./player-screen.js";
export { openRules } from "./rules-screen.js";
export { openSetUp } from "./set-up-screen.js";
export { openToys } from "./toys-screen.js";
export { openWeek } from "./week-screen.js";
