import { publishLine } from "../devices/device-setup.js";

/** How a device is added. @type {import("../devices/device-setup.js").Newcomer} */
export const NEWCOMER = {
    lead: "A device that logs in over MQTT with an id and a token of its own.",
    waits: "Waiting for its first level",
    where: "Try it from any computer",
    line: (device, mqtt) => publishLine(device, mqtt, "level", "41.5"),
    units: { level: "%" },
};
