// Every screen, loaded together when one of them is opened first.
export { openDirectory } from "./directory-screen.js";
