// Every screen, loaded together when one of them is opened first.
export { openGarden } from "./garden-screen.js";
export { openPlant } from "./plant-screen.js";
