// Every screen, loaded together when one of them is opened first.
export { openPlants } from "./plants-screen.js";
export { openPlant } from "./plant-screen.js";
