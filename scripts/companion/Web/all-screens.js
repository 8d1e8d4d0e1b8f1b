// Every screen, loaded together when one of them is opened first.
export { openOverview } from "./overview-screen.js";
