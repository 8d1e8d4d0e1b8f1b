// Every screen, loaded together when one of them is opened first.
export { openDirectory } from "./directory-screen.js";
export { openClass } from "./class/class-screen.js";
export { openClasses } from "./class/classes-screen.js";
export { openExperiment } from "./experiments/experiment-screen.js";
export { openExperiments } from "./experiments/experiments-screen.js";
export { openHaptics } from "./haptics/haptics-screen.js";
export { openAccelerometer } from "./measure/accelerometer-screen.js";
export { openBarometer } from "./measure/barometer-screen.js";
export { openGyroscope } from "./measure/gyroscope-screen.js";
export { openPhones } from "./phones/phones-screen.js";
export { openCompare } from "./recordings/compare-screen.js";
export { openRecording } from "./recordings/recording-screen.js";
export { openRecordings } from "./recordings/recordings-screen.js";
